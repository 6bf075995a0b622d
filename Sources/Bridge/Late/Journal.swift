import EventLoop
import Log
import Spool
import System

/// The copies of messages that are not on the disk yet, in the order in which they are written and removed.
///
/// A file of the journal becomes empty when all its messages are on the disk, or when the broker has accepted them.
final class Journal: LoopPart {
    /// A step of the file's thread.
    private enum Step {
        case append([SpoolRecord], ClockReading)
        case seal
        case release
        case clear
    }

    /// The size in bytes above which no further copies wait for the file: the disk does not accept them.
    private static let limit = 1 << 20

    let loop: EventLoop
    private let file: SpoolJournal
    private let log = Log("spool")
    /// The steps that the file has not begun.
    private var steps: [Step] = []
    /// The size of the copies in `steps`, in bytes.
    private var size = 0
    private var isWorking = false
    /// Whether the files may have contents, or will have.
    private var hasContents = false
    /// Whether a file has only messages that were handed over.
    private var isSealed = false
    /// The numbers of the publishers whose clients still have copied messages.
    private var publishers: Set<Int> = []
    private var hasReportedFailure = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(in folder: String, _ limits: SpoolLimits, loop: EventLoop) {
        file = SpoolJournal(in: folder, limits: limits)
        self.loop = loop
    }

    func use(_ limits: SpoolLimits) async { await file.use(limits) }

    /// Writes copies of messages that a client of a publisher still has.
    func append(_ records: [SpoolRecord], of publisher: Int, _ clock: ClockReading) {
        publishers.insert(publisher)
        hasContents = true
        let count = records.reduce(0) { $0 + $1.size }
        guard size + count <= Self.limit else { return }
        size += count
        take(.append(records, clock))
    }

    /// All copied messages of a publisher are handed over, or were accepted.
    func ended(_ publisher: Int) {
        guard publishers.remove(publisher) != nil, publishers.isEmpty else { return }
        isSealed = true
        take(.seal)
    }

    /// All messages that were handed over are on the disk, or were accepted.
    func handedOverAreStored() {
        guard hasContents else { return }
        guard publishers.isEmpty else {
            if isSealed { take(.release) }
            isSealed = false
            return
        }
        (hasContents, isSealed) = (false, false)
        hasReportedFailure = false
        take(.clear)
    }

    /// Drops all copies.
    func clear() {
        publishers = []
        handedOverAreStored()
    }

    /// Returns when all steps are done, or when `resumeWaiters` is called.
    func finish() async {
        guard isWorking else { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    private func take(_ step: Step) {
        steps.append(step)
        guard !isWorking else { return }
        isWorking = true
        spawn { await $0.work() }
    }

    private func work() async {
        while !steps.isEmpty {
            switch steps.removeFirst() {
            case .append(let records, let clock): await write(records, clock)
            case .seal: await file.seal()
            case .release: await file.release()
            case .clear: await file.clear()
            }
        }
        isWorking = false
        resumeWaiters()
    }

    func resumeWaiters() {
        let waiters = waiters
        self.waiters = []
        for waiter in waiters { waiter.resume() }
    }

    private func write(_ records: [SpoolRecord], _ clock: ClockReading) async {
        size -= records.reduce(0) { $0 + $1.size }
        do throws(SpoolError) {
            try await file.append(records, clock)
        } catch {
            if !hasReportedFailure {
                log.warning(
                    "values that wait for the broker are lost if the bridge ends before they are stored: \(error)")
            }
            hasReportedFailure = true
        }
    }
}

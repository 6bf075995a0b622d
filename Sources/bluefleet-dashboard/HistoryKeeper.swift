import Dashboard
import EventLoop
import Log
import Spool
import System

/// Stores the history once a minute, and reads it at the start.
final class HistoryKeeper: LoopPart {
    private static let interval = Duration.seconds(60)
    private static let stopTime = Duration.seconds(5)
    /// The greatest number of parts of the file that are read: 1,000,000 rows; 4,000 readings of 7 days have 676,000.
    private static let mostParts = 2000

    let loop: EventLoop
    private let log = Log("history")
    private let board: Board
    private let file: HistoryFile
    private var isStoring = false
    private var clockWatch: ClockWatch?
    /// By how much the clock was set forward within the time for which values are kept.
    private var forward = Duration.zero

    init(_ board: Board, in folder: String) {
        loop = board.loop
        self.board = board
        file = HistoryFile(in: folder)
    }

    func start() {
        clockWatch = ClockWatch(loop: loop) { [weak self] step in self?.clockSet(by: step) }
        guard board.history.keep > .zero else { return }
        spawn { await $0.restore() }
        storeLater()
    }

    private func restore() async {
        var place: HistoryFile.Place?
        do throws(SpoolError) {
            for _ in 0..<Self.mostParts {
                let rows = try await file.rows(after: place)
                guard let last = rows.last else { break }
                board.restoreHistory(rows)
                place = HistoryFile.Place(device: last.device, reading: last.reading, hour: last.hour)
            }
        } catch {
            log.warning("the values of earlier runs are not shown: \(error)")
        }
        board.endHistoryRestoration()
        await reportDamage()
    }

    // MARK: Clock

    /// Called when the clock was set.
    ///
    /// A clock that was set forward by mistake must not remove the history: values are kept longer by this step, until all
    /// of them are newer than it.
    func clockSet(by step: Duration) {
        log.info("the clock was set \(step < .zero ? "back by \((.zero - step).text)" : "forward by \(step.text)")")
        board.clockSet()
        let before = forward
        forward = max(.zero, forward + step)
        let addition = forward - before
        guard addition > .zero else { return }
        after(board.history.keep) { $0.forward = max(.zero, $0.forward - addition) }
    }

    // MARK: Storing

    private func storeLater() {
        after(Self.interval) { keeper in
            keeper.spawn { await $0.store() }
            keeper.storeLater()
        }
    }

    private func store() async {
        // The disk may need longer than a minute.
        guard !isStoring else { return }
        isStoring = true
        // A clock that is wrong by years would remove everything.
        let isClockRight = SystemClock.isSynchronized ?? true
        if isClockRight { board.removeOldHistory(reserve: forward) }
        let rows = board.takeHistoryChanges()
        let kept = board.history.keep + forward
        let oldest = (loop.timestamp.milliseconds / 1000 - kept.components.seconds) / 3600
        do throws(SpoolError) {
            try await file.store(rows, removingBefore: isClockRight ? oldest : nil)
        } catch {
            board.returnHistoryChanges(rows)
            log.warning("the history is not stored: \(error)")
        }
        await reportDamage()
        isStoring = false
    }

    private func reportDamage() async {
        guard let damage = await file.takeDamage() else { return }
        log.warning("the file of the history was damaged, a new one is used", ["reason": damage])
    }

    /// Stores the last changes.
    func stop() async {
        guard board.history.keep > .zero else { return }
        let (file, rows) = (file, board.takeHistoryChanges())
        await loop.wait(for: Self.stopTime) {
            try? await file.store(rows, removingBefore: nil)
            await file.close()
        }
    }
}

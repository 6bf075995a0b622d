import Contract
import EventLoop
import JSON
import Log
import MQTT
import Spool
import System

/// Sends the stored messages late: in order, at a limited rate, and only while no other message waits.
final class Replay: LoopPart {
    /// The time between two steps.
    private static let interval = Duration.milliseconds(50)
    /// The maximum number of unacknowledged late messages.
    private static let window = 20
    /// How many records are read from the disk at a time.
    private static let chunk = 200
    /// How many accepted records are removed from the disk at a time: each removal costs a synchronization.
    private static let removalSize = 1000
    /// The longest wait for the acknowledgement of the present messages before the first late one.
    private static let longestWait = Duration.seconds(5)

    /// One run: from a connection to the broker until the last record, or until the connection ends.
    private struct Run {
        let publisher: Publisher
        let perSecond: Int
        let start: Instant
        /// The number of messages that the broker had accepted at the start.
        let sentAtStart: Int
        let prepare: () async -> SpoolReport?
        let changed: () -> Void
        var isPrepared = false
        /// The state before the first message, until it is published that messages are sent.
        var announcement: SpoolReport?
        /// The number of the first record whose gateway is not known: it remains on the disk.
        var firstWaiting: Int64?
        /// The number of messages that other gateways have published.
        var elsewhere = 0
        /// Whether the disk has no further records.
        var isAtEnd = false
        var queue = ArraySlice<StoredRecord>()
        /// The number of the last record that was read.
        var last: Int64 = 0
        /// Thousandths of messages that may be sent now.
        var credit = 0
        /// The numbers of the records that the broker has neither accepted nor rejected.
        var unacknowledged: Set<Int64> = []
        var accepted: [Int64] = []
        var sent = 0
        var dropped = 0
    }

    let loop: EventLoop
    private let file: SpoolFile
    private let log = Log("spool")
    private var run: Run?
    /// The number of the present run: completions of earlier runs are ignored.
    private var number = 0
    private var isBusy = false
    private var timer: Timer?
    private var sentRecords = SentRecords()
    /// Returns what happens to a message of a shared device.
    private var verdict: (SpoolRecord, _ arrival: Instant) -> LateVerdict = { _, _ in .send }
    /// The number of late messages that the broker has accepted since the start.
    private(set) var totalSent = 0
    /// The number of stored messages that could not be read.
    private(set) var totalDamaged = 0

    init(_ file: SpoolFile, loop: EventLoop) {
        self.file = file
        self.loop = loop
    }

    /// Whether there is a run, which may still wait for other messages.
    var isActive: Bool { run != nil }
    /// Whether late messages are being sent.
    var isSending: Bool { run.map { $0.isPrepared && $0.announcement == nil } ?? false }

    private var clock: ClockReading { .present(on: loop) }

    /// Asks what happens to the messages with a stamp; without a question, all of them are sent.
    func decide(by verdict: @escaping (SpoolRecord, _ arrival: Instant) -> LateVerdict) {
        self.verdict = verdict
    }

    /// Begins to send the stored messages of a publisher's broker.
    ///
    /// - Parameters:
    ///   - publisher: the publisher, whose client is connected.
    ///   - perSecond: the maximum number of messages per second.
    ///   - prepare: removes the messages that were sent in the meantime, and returns what remains; nil to stop.
    ///   - changed: called after messages were removed from the disk, and at the end of the run.
    func start(
        _ publisher: Publisher, perSecond: Int, prepare: @escaping () async -> SpoolReport?,
        changed: @escaping () -> Void
    ) {
        stop()
        number += 1
        run = Run(
            publisher: publisher, perSecond: perSecond, start: loop.now, sentAtStart: publisher.client.statistics.sent,
            prepare: prepare, changed: changed)
        schedule()
    }

    /// Ends the run; the messages that were not accepted remain on the disk.
    func stop() {
        if let run = halt(), !run.accepted.isEmpty { spawn { await $0.removeAccepted(of: run) } }
    }

    /// Ends the run, and returns when the accepted messages are removed from the disk.
    func close() async {
        if let run = halt() { await removeAccepted(of: run) }
    }

    /// Ends the run, and returns it.
    private func halt() -> Run? {
        timer?.cancel()
        defer { run = nil }
        number += 1
        return run
    }

    private func schedule() {
        timer?.cancel()
        timer = after(Self.interval) { $0.step() }
    }

    private func step() {
        guard let run, !isBusy else { return schedule() }
        let statistics = run.publisher.client.statistics
        // A live message goes first.
        guard statistics.waiting == 0 else { return schedule() }
        if run.isPrepared {
            sendQueue()
            spawn { await $0.continueRun() }
        } else if statistics.unacknowledged == 0 || hasWaited(run, statistics) {
            isBusy = true
            spawn { await $0.prepare() }
        }
        schedule()
    }

    /// Returns whether the broker acknowledges messages, but other ones are always in flight.
    private func hasWaited(_ run: Run, _ statistics: Client.Statistics) -> Bool {
        loop.now - run.start > Self.longestWait && statistics.sent > run.sentAtStart
    }

    private func prepare() async {
        let (number, work) = (number, run?.prepare)
        let report = await work?()
        if number == self.number, let report, report.waiting > 0 { await prepare(report, in: number) }
        isBusy = false
        if number == self.number, run?.isPrepared == false { end() }
    }

    /// Prepares the run; does nothing if all messages were sent.
    private func prepare(_ report: SpoolReport, in number: Int) async {
        guard let broker = run?.publisher.spoolName else { return }
        var report = report
        if let last = sentRecords.last(of: broker) {
            do throws(SpoolError) {
                try await file.remove(through: last, of: broker, clock)
                sentRecords.remove(of: broker)
            } catch {
                guard number == self.number else { return }
                run?.last = last
            }
            guard let rest = try? await file.report(of: broker, after: run?.last ?? 0, clock) else { return }
            report = rest
        }
        guard number == self.number, report.waiting > 0 else { return }
        run?.isPrepared = true
        run?.announcement = report
    }

    /// Publishes once that messages are sent, before the first one that need not wait any longer.
    ///
    /// - Returns: The present state of the run; nil: it has ended.
    private func announceOnce(_ run: Run) -> Run? {
        guard let report = run.announcement else { return run }
        self.run = run
        self.run?.announcement = nil
        log.info("messages that waited for the broker are sent late", ["waiting": "\(report.waiting)"])
        run.publisher.publish(
            .replayStarted(waiting: report.waiting, oldest: report.oldest), at: loop.timestamp)
        return self.run
    }

    /// Sends records of the queue, as many as the rate and the window allow.
    private func sendQueue() {
        guard var run else { return }
        run.credit = min(run.credit + run.perSecond * 50, max(1000, run.perSecond * 50))
        let (number, clock) = (number, clock)
        while run.credit >= 1000, run.unacknowledged.count < Self.window, let record = run.queue.popFirst() {
            let verdict = record.record.stamp == nil ? .send : verdict(record.record, record.arrival(clock))
            guard verdict != .wait else {
                run.firstWaiting = run.firstWaiting ?? record.id
                continue
            }
            guard let announced = announceOnce(run) else { return }
            run = announced
            guard verdict != .drop else {
                run.elsewhere += 1
                run.accepted.append(record.id)
                continue
            }
            guard let message = LateMessage(record: record).message(run.publisher.messages) else {
                totalDamaged += 1
                run.dropped += 1
                run.accepted.append(record.id)
                continue
            }
            run.credit -= 1000
            run.unacknowledged.insert(record.id)
            self.run = run
            run.publisher.client.publish(
                message, .whileConnected, completion: handler { $0.completed(record.id, $1, in: number) })
            guard let current = self.run else { return }
            run = current
        }
        self.run = run
    }

    private func completed(_ id: Int64, _ isAccepted: Bool, in number: Int) {
        guard number == self.number, run != nil else { return }
        run?.unacknowledged.remove(id)
        if isAccepted {
            run?.accepted.append(id)
            run?.sent += 1
            totalSent += 1
        } else if run?.publisher.client.isConnected == true {
            log.warning(
                "the broker does not accept late messages: they remain on the disk",
                ["remedy": "allow the gateway to publish on PREFIX/bridge/GATEWAY/late/#"])
            end()
        }
    }

    /// Reads further records, removes accepted ones, and ends the run after the last one.
    private func continueRun() async {
        guard let run, !isBusy else { return }
        isBusy = true
        defer { isBusy = false }
        if run.accepted.count >= Self.removalSize {
            self.run?.accepted = []
            await removeAccepted(of: run)
            run.changed()
        } else if run.queue.isEmpty, !run.isAtEnd {
            await read(run)
        } else if run.queue.isEmpty, run.unacknowledged.isEmpty {
            await finish(run)
        }
    }

    private func read(_ run: Run) async {
        let number = number
        do throws(SpoolError) {
            let records = try await file.records(
                after: run.last, of: run.publisher.spoolName, most: Self.chunk, clock)
            guard number == self.number else { return }
            self.run?.queue = records[...]
            self.run?.last = records.last?.id ?? run.last
            self.run?.isAtEnd = records.count < Self.chunk
        } catch {
            log.error("stored messages cannot be read: \(error)")
            if number == self.number { end() }
        }
    }

    private func finish(_ run: Run) async {
        let number = number
        self.run?.accepted = []
        await removeAccepted(of: run)
        guard number == self.number else { return }
        if run.announcement == nil {
            log.info(
                "all late messages are sent",
                ["sent": "\(run.sent)", "dropped": "\(run.dropped)", "published_elsewhere": "\(run.elsewhere)"])
            run.publisher.publish(.replayFinished(sent: run.sent, dropped: run.dropped), at: loop.timestamp)
        }
        end()
    }

    private func end() {
        let changed = run?.changed
        stop()
        changed?()
    }

    private func removeAccepted(of run: Run) async {
        do throws(SpoolError) {
            try await file.remove(run.accepted, clock)
        } catch {
            log.warning("sent messages cannot be removed from the disk: \(error)")
            let pending = run.unacknowledged.union([run.queue.first?.id, run.firstWaiting].compactMap(\.self))
            sentRecords.add(run.accepted, of: run.publisher.spoolName, before: pending)
        }
    }
}

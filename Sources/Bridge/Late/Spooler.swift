import Configuration
import Contract
import EventLoop
import JSON
import Log
import MQTT
import Spool
import System

/// Stores the messages that wait for the broker for long, and sends them late when the broker is back.
final class Spooler: LoopPart {
    let loop: EventLoop
    private let folder: String
    private let file: SpoolFile
    private let journal: Journal
    /// Whether the journal of an earlier run may have records that are not in the file.
    private var needsRecovery = true
    private let log = Log("spool")
    private let replay: Replay
    private var settings: Configuration.Spool
    private var pending = PendingRecords()
    private var direct = DirectSending()
    private let numbers: LateNumbers
    private var publisher: Publisher?
    private var report = SpoolReport()
    private var disk = Disk()
    private var isWriting = false
    /// Returns what happens to a message of a shared device.
    private var verdict: (SpoolRecord, _ arrival: Instant) -> LateVerdict = { _, _ in .send }
    /// Whether messages may be sent now that had to wait in the present run.
    private var isResumed = false
    /// The callers that wait until everything is written.
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var drops = DropReports()
    private var clockWatch: ClockWatch?
    private var clockStepHandler: ((ClockStep) -> Void)?

    /// The failures of the disk.
    private struct Disk {
        /// The present failure; nil if there is none.
        var failure: SpoolError?
        var retry: Timer?
        /// The pauses between checks after a failure, while no message waits.
        var checks = Backoff(first: .seconds(10), longest: .seconds(600))
    }

    init(_ configuration: Configuration, _ numbers: LateNumbers, loop: EventLoop) {
        self.loop = loop
        self.numbers = numbers
        settings = configuration.spool
        folder = SpoolFolder.path(in: configuration.stateDirectory)
        file = SpoolFile(in: folder, limits: SpoolLimits(configuration.spool))
        journal = Journal(in: folder, SpoolLimits(configuration.spool), loop: loop)
        replay = Replay(file, loop: loop)
    }

    private var clock: ClockReading { .present(on: loop) }

    // MARK: Life

    /// Begins with a publisher; the records of an earlier run are read.
    func open(_ publisher: Publisher) async {
        self.publisher = publisher
        clockWatch = ClockWatch(loop: loop) { [weak self] step in
            self?.clockStepped(by: step)
        }
        for reason in SpoolJournal.refusals(in: folder) {
            log.error("messages of an earlier run are not read: \(reason)")
        }
        // Without a file there is no need for its thread.
        needsRecovery = SpoolJournal.exists(in: folder)
        guard SpoolFile.exists(in: folder) || needsRecovery else { return }
        do throws(SpoolError) {
            try await recover()
        } catch {
            await failed(error)
        }
        await updateReport()
        if report.total > 0 {
            log.info("messages of an earlier run wait for the broker", ["waiting": "\(report.waiting)"])
        }
    }

    /// Stores the messages in the journal of an earlier run, which ended before they were stored.
    private func recover() async throws(SpoolError) {
        guard needsRecovery else { return }
        let count = try await file.recover(clock)
        needsRecovery = false
        if count > 0 { log.info("messages that waited when the last run ended are stored", ["count": "\(count)"]) }
    }

    /// Uses other settings or another publisher from now on.
    func use(_ settings: Configuration.Spool, _ publisher: Publisher) async {
        let isOtherPublisher = self.publisher?.number != publisher.number
        (self.settings, self.publisher) = (settings, publisher)
        await file.use(SpoolLimits(settings))
        await journal.use(SpoolLimits(settings))
        if isOtherPublisher { replay.stop() }
        await updateReport()
    }

    /// The time limit for the disk when the gateway stops.
    private static let closingTime = Duration.seconds(2)

    /// Writes the messages that wait, and closes the file.
    func close() async {
        clockWatch?.stop()
        guard SpoolFile.exists(in: folder) || pending.hasWork || isWriting else { return await closeJournal() }
        await replay.close()
        disk.retry?.cancel()
        let timeout = after(Self.closingTime) { $0.resumeWaiters() }
        await flush()
        timeout.cancel()
        if !pending.isEmpty { log.error("\(pending.count) messages are lost: the disk does not accept them") }
        // A disk that still works on the last messages is not waited for.
        if !isWriting { await file.close() }
        await closeJournal()
    }

    private func closeJournal() async {
        updateJournal()
        let timeout = after(Self.closingTime) { $0.journal.resumeWaiters() }
        await journal.finish()
        timeout.cancel()
    }

    // MARK: Keeping

    /// Writes copies of messages that a client still has to the journal.
    func copy(_ messages: [KeptMessage], of publisher: Publisher) {
        // The records of an earlier run would be added again, together with the new ones.
        guard !needsRecovery else { return }
        let clock = clock
        journal.append(messages.map { SpoolRecord($0, of: publisher, clock) }, of: publisher.number, clock)
    }

    /// A client has no copied message any more.
    func copiesEnded(of publisher: Int) {
        journal.ended(publisher)
        updateJournal()
    }

    /// Removes what the journal need not contain any more.
    private func updateJournal() {
        if pending.isEmpty, !needsRecovery { journal.handedOverAreStored() }
    }

    /// Stores messages that a client has handed over.
    func keep(_ messages: [KeptMessage], of publisher: Publisher) {
        let clock = clock
        for kept in messages {
            let key = PendingRecords.Key(publisher: publisher.number, place: kept.place)
            pending.add(SpoolRecord(kept, of: publisher, clock), key: kept.isWaiting ? key : nil)
        }
        journal.ended(publisher.number)
        write()
    }

    /// Stores messages of shared devices whose gateway is in doubt.
    func keep(_ messages: [HeldMessage], of publisher: Publisher) {
        let clock = clock
        for held in messages { pending.add(SpoolRecord(held, of: publisher, clock), key: nil) }
        write()
    }

    /// The time between two writes of messages whose gateway is in doubt.
    var interval: Duration { settings.sync }

    /// Asks what happens to the stored messages of shared devices.
    func decide(by verdict: @escaping (SpoolRecord, _ arrival: Instant) -> LateVerdict) {
        self.verdict = verdict
        replay.decide(by: verdict)
    }

    /// Sends stored messages of shared devices that had to wait.
    func resume() {
        isResumed = true
        replayIfIdle()
    }

    /// The broker has accepted a message that was handed over.
    func settled(_ place: Int, of publisher: Int) {
        pending.settle(PendingRecords.Key(publisher: publisher, place: place))
        updateJournal()
    }

    // MARK: The broker

    /// Sends the stored messages after the broker has accepted all present ones.
    func connected() {
        isResumed = false
        guard let publisher, report.total > 0 || !pending.isEmpty else { return }
        replay.start(publisher, perSecond: settings.replay) { [weak self] in
            await self?.prepareReplay(of: publisher.number)
        } changed: { [weak self] in
            self?.recordsRemoved()
        }
    }

    func disconnected() {
        replay.stop()
    }

    /// Removes the records that the broker has accepted, and returns how many remain.
    private func prepareReplay(of publisher: Int) async -> SpoolReport {
        pending.forget(publisher: publisher)
        await flush()
        return report
    }

    private func recordsRemoved() {
        spawn { spooler in
            await spooler.updateReport()
            if spooler.isResumed { spooler.replayIfIdle() }
            spooler.sendFromMemory()
            await spooler.closeIfEmpty()
        }
    }

    /// Closes a file without records, which then needs no memory.
    private func closeIfEmpty() async {
        if report.total == 0, pending.isEmpty, !isWriting { await file.close() }
    }

    // MARK: Without a disk

    /// Sends messages that the disk does not accept: otherwise they would wait in memory for ever.
    ///
    /// Older messages, which are on the disk, go first.
    private func sendFromMemory() {
        guard disk.failure != nil, direct.inFlight == 0, let publisher, publisher.client.isConnected,
            publisher.client.statistics.waiting == 0, !replay.isActive
        else { return }
        let records = pending.takeOldest(DirectSending.window, of: publisher.spoolName) { [verdict] record in
            record.stamp == nil ? .send : verdict(record, record.moment)
        }
        for record in records {
            let stored = direct.begin(record, number: numbers.reserve(at: loop.timestamp))
            guard let message = LateMessage(record: stored).message(publisher.messages) else {
                direct.ended()
                continue
            }
            publisher.client.publish(message, .whileConnected, completion: handler { $0.sent(record, $1) })
        }
    }

    private func sent(_ record: SpoolRecord, _ isAccepted: Bool) {
        direct.ended()
        if !isAccepted { pending.putBack(record) }
        guard direct.inFlight == 0 else { return }
        after(isAccepted ? .milliseconds(100) : settings.sync) { $0.sendFromMemory() }
    }

    // MARK: Writing

    private func write() {
        guard !isWriting, pending.hasWork else { return }
        isWriting = true
        spawn { await $0.writePending() }
    }

    /// Writes what waits after a failure of the disk; if nothing waits, finds out whether the disk works again.
    private func retryWriting() {
        guard !pending.hasWork else { return write() }
        guard !isWriting, disk.failure != nil else { return }
        isWriting = true
        spawn { await $0.checkDisk() }
    }

    private func checkDisk() async {
        do throws(SpoolError) {
            try await file.probe(clock)
        } catch {
            return await failed(error)
        }
        diskWorks()
        await writePending()
    }

    /// The disk has accepted something.
    private func diskWorks() {
        disk.checks.reset()
        guard disk.failure != nil else { return }
        disk.failure = nil
        log.info("the messages that wait for the broker are stored again")
    }

    private func writePending() async {
        do throws(SpoolError) {
            try await recover()
        } catch {
            return await failed(error)
        }
        let usesDisk = pending.hasWork
        while pending.hasWork {
            let (records, clock) = (pending.take(), clock)
            let first = numbers.reserve(records.count, at: clock.time)
            let (ids, failure) = await file.append(records, from: first, clock)
            pending.written(ids)
            if let last = ids.last {
                numbers.note(last)
                log.debug("messages are stored", ["count": ids.count, "last": last])
            }
            if let failure { return await failed(failure) }
            let accepted = pending.takeAccepted()
            do throws(SpoolError) {
                try await file.remove(accepted, clock)
            } catch {
                pending.putBack(accepted: accepted)
                return await failed(error)
            }
        }
        // If the broker has accepted everything, nothing is written, and it is not known whether the disk works again.
        if usesDisk { diskWorks() }
        await writingEnded()
    }

    private func failed(_ error: SpoolError) async {
        note(error)
        disk.retry?.cancel()
        disk.retry = after(pending.hasWork ? settings.sync : disk.checks.delay()) { $0.retryWriting() }
        await writingEnded()
        sendFromMemory()
    }

    /// Stores a failure of the disk, and reports it if it is new.
    private func note(_ error: SpoolError) {
        if disk.failure?.description != error.description {
            log.error("messages that wait for the broker cannot be stored: \(error)")
            publisher?.publish(.spoolFailed(reason: error.description), at: loop.timestamp)
        }
        disk.failure = error
    }

    private func writingEnded() async {
        isWriting = false
        updateJournal()
        await updateReport()
        resumeWaiters()
        // A slow broker may accept the messages without another connection.
        replayIfIdle()
        await closeIfEmpty()
    }

    private func replayIfIdle() {
        guard publisher?.client.isConnected == true, !replay.isActive else { return }
        connected()
    }

    private func resumeWaiters() {
        let waiters = waiters
        self.waiters = []
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when everything is written, or when the disk has failed.
    private func flush() async {
        write()
        guard isWriting else { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    // MARK: Clock

    /// Calls `handler` when the clock was set by a second or more.
    func onClockStep(_ handler: @escaping (ClockStep) -> Void) {
        clockStepHandler = handler
    }

    /// Corrects the times of the stored messages.
    private func clockStepped(by step: Duration) {
        let text = step < .zero ? "back by \((.zero - step).text)" : "forward by \(step.text)"
        log.info("the clock was set \(text)")
        clockStepHandler?(ClockStep(step: step, now: loop.timestamp))
        publisher?.publish(.clockChanged(by: step), at: loop.timestamp)
        spawn { spooler in
            try? await spooler.file.clockChanged(spooler.clock)
        }
    }

    // MARK: Status

    private func updateReport() async {
        guard let publisher else { return }
        let before = report.counters
        do throws(SpoolError) {
            report = try await file.report(of: publisher.spoolName, clock)
        } catch {
            if disk.failure == nil {
                note(error)
                disk.retry = after(disk.checks.delay()) { $0.retryWriting() }
            }
            return
        }
        if let damage = report.counters.damage, damage != before.damage {
            let reason = GatewayEvent.damageReason(damage, salvaged: report.counters.salvaged)
            log.error("\(reason); it is kept as \(SpoolFile.path(in: "spool")).damaged")
            publisher.publish(.spoolFailed(reason: reason), at: loop.timestamp)
        }
        reportDrops()
    }

    private func reportDrops() {
        let count = report.counters.dropped + pending.dropped
        guard let new = drops.report(count, at: loop.now) else { return }
        log.warning("no room for more messages: the oldest \(new) were dropped", ["remedy": "make spool.size larger"])
        publisher?.publish(.spoolDropping(count: new), at: loop.timestamp)
    }

    private var state: SpoolStatus.State {
        if let failure = disk.failure { return failure.kind == .full ? .full : .failed }
        if replay.isSending { return .replaying }
        return report.total == 0 && pending.isEmpty ? .idle : .keeping
    }

    /// The state for `health` and for the request `spool`.
    var status: SpoolStatus {
        var status = SpoolStatus(state)
        status.waiting = report.waiting + pending.count
        status.bytes = report.bytes
        status.oldest = report.oldest
        status.dropped = report.counters.dropped + pending.dropped
        status.expired = report.counters.expired
        status.damaged = replay.totalDamaged + report.counters.changed
        status.writtenBytes = report.counters.written
        status.replayed = replay.totalSent
        return status
    }

    /// Returns the present state, or removes all stored messages first.
    ///
    /// - Throws: `failed` if the file cannot be changed.
    func answer(drops: Bool) async throws(RequestError) -> JSON {
        if drops {
            replay.stop()
            pending.removeAll()
            journal.clear()
            do throws(SpoolError) {
                let count = try await file.removeAll(clock)
                // Each request could write a line, also if nothing is stored.
                if count > 0 { log.info("\(count) stored messages were removed at a client's request") }
            } catch {
                throw RequestError(.failed, "the stored messages cannot be removed: \(error)")
            }
        }
        await updateReport()
        return status.json
    }
}

extension SpoolLimits {
    init(_ settings: Configuration.Spool) {
        self.init(size: settings.size, age: settings.age)
    }
}

import Dashboard
import EventLoop
import Log
import MQTT
import System

/// The newest messages, their history and the state of the broker, which all parts of the dashboard share.
final class Board: LoopPart {
    let loop: EventLoop
    private let log = Log("dashboard")
    private(set) var world = World()
    private(set) var changes: ChangeLog
    private(set) var history: History
    private(set) var isConnected = false
    /// Since when `isConnected` has been the same.
    private(set) var since: Timestamp
    /// The number of connections to the broker since the start.
    private(set) var connections = 0
    /// Called after each change.
    private let onChange: (BoardChange) -> Void
    private var hasReportedFullness = false

    /// - Parameters:
    ///   - keep: How long values are kept.
    ///   - loop: The loop.
    ///   - onChange: Called after each change.
    init(keeping keep: Duration, on loop: EventLoop, _ onChange: @escaping (BoardChange) -> Void) {
        self.loop = loop
        self.onChange = onChange
        since = loop.timestamp
        history = History(keep: keep)
        // The numbers of this run are above those of an earlier one, also after a step of the clock by some hours.
        changes = ChangeLog(startingAt: Int(loop.timestamp.milliseconds) * 1000)
    }

    private var now: PresentTime { PresentTime(loop.now, loop.timestamp) }

    // MARK: The broker

    func connected() {
        connections += 1
        world.beginConnection()
        setConnected(true)
    }

    func disconnected() {
        setConnected(false)
    }

    private func setConnected(_ isConnected: Bool) {
        guard self.isConnected != isConnected else { return }
        self.isConnected = isConnected
        since = loop.timestamp
        onChange(.broker)
    }

    // MARK: Messages

    /// Handles a message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - topic: Its topic without the prefix.
    func receive(_ message: Message, _ topic: String) {
        let effects = world.receive(
            topic, message.payload, isRetained: message.isRetained, expiry: message.expiry, at: now)
        take(effects)
    }

    /// Called when the broker has sent all retained messages.
    func retainedMessagesEnded() {
        take(world.endRetainedMessages(at: now))
    }

    private func take(_ effects: Effects) {
        for change in effects.changes { changes.append(change) }
        for rename in effects.renames { history.rename(rename.old, to: rename.new) }
        for sample in effects.samples { history.add(sample, at: loop.timestamp) }
        if effects.isFull, !hasReportedFullness {
            hasReportedFullness = true
            log.warning("too many topics below the prefix: the page does not show all of them")
        }
        if !effects.changes.isEmpty { onChange(.topics) }
    }

    // MARK: History

    /// Removes old values; `reserve` is how much longer than usual they are kept.
    func removeOldHistory(reserve: Duration) {
        history.removeOld(at: loop.timestamp, reserve: reserve)
    }

    /// Called when the clock of this machine was set.
    func clockSet() {
        history.clockSet(to: loop.timestamp)
        onChange(.clock)
    }

    func takeHistoryChanges() -> [HistoryRow] { history.takeChanges() }

    func returnHistoryChanges(_ rows: [HistoryRow]) { history.returnChanges(rows) }

    func restoreHistory(_ rows: [HistoryRow]) {
        for row in rows { history.restore(row) }
    }

    /// Called after the last stored row: the clock can be behind that of the earlier run.
    func endHistoryRestoration() {
        history.clockSet(to: loop.timestamp)
    }
}

/// A kind of changes of the board.
enum BoardChange {
    case broker
    case topics
    /// The clock of this machine was set: the ages of all values have changed.
    case clock
}

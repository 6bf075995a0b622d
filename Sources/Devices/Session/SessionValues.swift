import Configuration
import System

/// The values that a session needs: periodic reads, and one value of each characteristic for a collecting session.
///
/// A value without I/O: its functions return the actions to perform, in this order.
package struct SessionValues: Sendable {
    // The property that is used for each value comes first.
    /// The characteristics whose values a collecting session still needs; nil if no collecting session is in progress.
    package private(set) var missing: Set<String>?

    private let until: Set<String>?
    private let within: Duration
    private let subscribed: [String]
    private let notified: [String]
    private let reads: [SessionPlan.Read]
    /// The names of the characteristics whose periodic read is due.
    private var dueReads: Set<String>
    /// The entries whose questions had no answer in the collecting session.
    private var unanswered: Set<String> = []
    /// The number of consecutive refused reads, by characteristic.
    private var refusals: [String: Int] = [:]

    /// The number of refused reads after which the refusal is reported and the reads become seldom.
    private static let mostRefusals = 3
    /// The delays of the reads after the report: the first one, which doubles, and the longest one.
    private static let longDelays = (first: Duration.seconds(60), longest: Duration.seconds(3600))

    package init(_ plan: SessionPlan) {
        until = plan.until
        within = plan.within
        subscribed = plan.subscribed
        notified = plan.notified
        reads = plan.reads
        dueReads = Set(plan.reads.map(\.name))
    }

    /// Whether a collecting session is in progress.
    package var isCollecting: Bool { missing != nil }

    /// Returns the configured subscriptions to the named characteristics, and the reads of the named ones that are due.
    package func accesses(of names: Set<String>) -> [SessionAction] {
        subscribed.filter(names.contains).map(SessionAction.subscribe)
            + dueNow.filter(names.contains).map(SessionAction.read)
    }

    /// The names of the characteristics to read on a ready connection.
    ///
    /// The list contains the due reads, and the values that a collecting session needs and no subscription delivers.
    private var dueNow: [String] {
        var names = reads.filter { $0.policy == .onConnect || dueReads.contains($0.name) }.map(\.name)
        for name in (missing ?? []).sorted() where !names.contains(name) && !notified.contains(name) {
            names.append(name)
        }
        return names
    }

    /// Ends the collecting session without a report, and cancels the timers.
    package mutating func stop() -> [SessionAction] {
        missing = nil
        return [.cancel(.within)] + reads.map { .cancel(.read($0.name)) }
    }

    // MARK: Periodic reads

    package mutating func readIsDue(_ name: String) {
        dueReads.insert(name)
    }

    /// Schedules the next periodic read after a value was read, or after the device turned out to lack it.
    package mutating func readEnded(_ name: String) -> [SessionAction] {
        refusals[name] = nil
        let next = readLater(name)
        if !next.isEmpty { dueReads.remove(name) }
        return next
    }

    /// Schedules the next periodic read after a failure.
    ///
    /// A failed read stays due for the next connection: bluetoothd may report the failure before the end of the
    /// connection.
    package func readLater(_ name: String) -> [SessionAction] {
        guard case .every(let interval)? = reads.first(where: { $0.name == name })?.policy else { return [] }
        return [.schedule(.read(name), after: max(interval, Configuration.Characteristic.shortestReadInterval))]
    }

    /// Schedules the next periodic read after a refusal: at the configured interval, and seldom after three refusals.
    ///
    /// A collecting session then no longer waits for the value.
    ///
    /// - Returns: whether the refusals must be reported, and the actions to perform.
    package mutating func readRefused(_ name: String) -> (isNew: Bool, actions: [SessionAction]) {
        let count = refusals[name, default: 0] + 1
        refusals[name] = count
        guard count >= Self.mostRefusals else { return (false, readLater(name)) }
        let rest = Backoff.delay(
            first: Self.longDelays.first, longest: Self.longDelays.longest, afterFailures: count - Self.mostRefusals)
        let next = readLater(name).map { action in
            guard case .schedule(let timer, let interval) = action else { return action }
            return SessionAction.schedule(timer, after: max(interval, rest))
        }
        return (count == Self.mostRefusals, next + skip(name))
    }

    /// Schedules the next question after one without an answer, for which a collecting session does not wait.
    package mutating func unanswered(_ name: String) -> [SessionAction] {
        if missing?.contains(name) == true { unanswered.insert(name) }
        return readLater(name) + skip(name)
    }

    // MARK: Collecting

    /// Begins a collecting session.
    ///
    /// - Parameters:
    ///   - present: the configured characteristics that the device has; nil if the connection is not ready.
    ///   - isQueued: whether the device waits for a connection slot; `slotGranted()` then starts the time limit.
    /// - Returns: the actions to perform.
    package mutating func collect(present: Set<String>?, isQueued: Bool) -> [SessionAction] {
        let wanted = until ?? Set(notified + dueNow)
        missing = wanted
        unanswered = []
        if isQueued { return [] }
        let limit = SessionAction.schedule(.within, after: within)
        guard let present else { return [limit] }
        let reads = wanted.sorted().filter { !notified.contains($0) }.map(SessionAction.read)
        return [limit] + reads + skip(allBut: present)
    }

    /// Stops the time limit of the collecting session: it does not include the wait for a connection slot.
    package func waitForSlot() -> [SessionAction] {
        isCollecting ? [.cancel(.within)] : []
    }

    /// Starts the time limit of the collecting session after the wait for a connection slot.
    package func slotGranted() -> [SessionAction] {
        isCollecting ? [.schedule(.within, after: within)] : []
    }

    /// Sets the time limit of the collecting session to a duration from now, unless its own limit is longer.
    package func prolong(_ limit: Duration) -> [SessionAction] {
        isCollecting && limit > within ? [.schedule(.within, after: limit)] : []
    }

    /// Removes a characteristic from the collecting session, which ends if no other value is missing.
    package mutating func skip(_ name: String) -> [SessionAction] {
        guard missing?.remove(name) != nil, missing?.isEmpty == true else { return [] }
        return endCollecting()
    }

    /// Removes the characteristics that the device lacks from the collecting session.
    package mutating func skip(allBut present: Set<String>) -> [SessionAction] {
        missing?.formIntersection(present)
        return missing?.isEmpty == true ? endCollecting() : []
    }

    /// Ends the collecting session.
    ///
    /// - Parameter cause: why the session ends early; nil if it is complete or its time is over.
    /// - Returns: the actions to perform.
    package mutating func endCollecting(because cause: String? = nil) -> [SessionAction] {
        guard let missing else { return [] }
        self.missing = nil
        return [.cancel(.within), .collected(missing: missing, unanswered: unanswered, brokenOff: cause)]
    }
}

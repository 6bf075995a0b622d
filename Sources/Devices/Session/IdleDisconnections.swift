package import System

/// Consecutive connections that a device has ended by itself, because it was idle.
///
/// With `connect: always` the gateway connects such a device again each time, which costs the device more energy than
/// connections at an interval.
package struct IdleDisconnections: Sendable {
    /// Why a connection has ended.
    package enum Cause: Sendable {
        /// The device has ended the connection.
        case device
        /// The connection is lost, and bluetoothd reports no reason (before 5.83).
        case unknown
        case other
    }

    /// A habit of the device that the configuration does not take into account.
    package struct Habit: Equatable, Sendable {
        /// Whether bluetoothd has reported that the device ended all these connections.
        package let isCertain: Bool
        /// Whether the device could be connected again each time within `longestGap`.
        package let isAlwaysOn: Bool

        package init(isCertain: Bool, isAlwaysOn: Bool) {
            self.isCertain = isCertain
            self.isAlwaysOn = isAlwaysOn
        }
    }

    /// The number of consecutive connections that make a habit.
    package static let limit = 5
    /// The longest duration of such a connection.
    package static let longestConnection = Duration.seconds(300)
    /// The longest time until a device that is always on is connected again.
    private static let longestGap = Duration.seconds(60)

    private var count = 0
    private var isCertain = true
    private var isAlwaysOn = true
    /// When the current connection was made, or the last one.
    private var start: Instant?
    /// When the last connection ended.
    private var end: Instant?
    private var isReported = false

    package init() {}

    /// Notes a new connection.
    package mutating func connected(at now: Instant) {
        if let end, now - end > Self.longestGap { isAlwaysOn = false }
        start = now
    }

    /// Notes the end of the connection.
    ///
    /// - Parameters:
    ///   - cause: Why the connection has ended.
    ///   - wasOfUse: Whether a value had arrived, or a command was answered.
    ///   - now: The current time.
    /// - Returns: The habit, the first time that there is one; else nil.
    package mutating func ended(because cause: Cause, wasOfUse: Bool, at now: Instant) -> Habit? {
        end = now
        guard cause != .other, wasOfUse, let start, now - start <= Self.longestConnection else {
            (count, isCertain, isAlwaysOn) = (0, true, true)
            return nil
        }
        if cause == .unknown { isCertain = false }
        count += 1
        guard count >= Self.limit, !isReported else { return nil }
        isReported = true
        return Habit(isCertain: isCertain, isAlwaysOn: isAlwaysOn)
    }
}

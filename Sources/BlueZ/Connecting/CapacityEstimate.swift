import Bluetooth
import EventLoop
import System

/// Estimates how many connections an adapter supports, if no number is configured.
///
/// bluetoothd reports the same error for every failed connect (`le-connection-abort-by-local`), whatever the cause. If
/// several peripherals fail with the same number of connections, and none of them with fewer connections, then the
/// number is the cause.
struct CapacityEstimate {
    /// The number of connections that every controller supports.
    static let least = 3
    /// The minimum number of failures, and of peripherals that fail, for an estimate.
    static let evidence = (failures: 3, peripherals: 2)
    /// How long an estimate is valid; afterwards, more connections are tried again.
    static let validity = Duration.seconds(600)

    private struct Failures {
        /// The smallest number of other connections during a failed connect of the peripheral.
        var lowest: Int
        var count: Int
    }

    private var failures: [Address: Failures] = [:]
    private var estimate: (capacity: Int, time: Instant)?

    /// Returns the estimate; nil: no limit is known.
    func capacity(at now: Instant) -> Int? {
        guard let estimate, now - estimate.time < Self.validity else { return nil }
        return estimate.capacity
    }

    /// Notes a new connection; `count` is the number of connections including the new connection.
    mutating func connected(_ peripheral: Address, as count: Int) {
        failures[peripheral] = nil
        if let estimate, count > estimate.capacity { self.estimate = nil }
    }

    /// Notes a failed connect while there were `count` other connections.
    mutating func refused(_ peripheral: Address, with count: Int, at now: Instant) {
        var failure = failures[peripheral] ?? Failures(lowest: count, count: 0)
        failure = Failures(lowest: min(failure.lowest, count), count: failure.count + 1)
        failures[peripheral] = failure
        // A peripheral that also fails with fewer connections is out of range, and its failures do not support an
        // estimate.
        if let estimate, count < estimate.capacity { self.estimate = nil }
        let witnesses = failures.values.filter { $0.lowest == count }
        guard count >= Self.least, witnesses.count >= Self.evidence.peripherals,
            witnesses.reduce(0, { $0 + $1.count }) >= Self.evidence.failures
        else { return }
        estimate = (count, now)
    }
}

internal import Bluetooth
internal import EventLoop

/// How many links an adapter turns out to hold, where nobody has said.
///
/// bluetoothd gives one error for every connect that failed (`le-connection-abort-by-local`), whatever the cause. But
/// where several peripherals fail with so many links up, and none of them with fewer, it is the number that is the
/// cause.
struct CapacityEstimate {
    /// Every controller holds three.
    static let least = 3
    /// How many failures are more than bad luck, and of how many peripherals.
    static let evidence = (failures: 3, peripherals: 2)
    /// After which time a lesson is put to the test again.
    static let validity = Duration.seconds(600)

    private struct Failures {
        /// The fewest links with which it failed.
        var lowest: Int
        var count: Int
    }

    private var failures: [Address: Failures] = [:]
    private var lesson: (capacity: Int, time: Instant)?

    /// Nil: no limit is known.
    func capacity(at now: Instant) -> Int? {
        guard let lesson, now - lesson.time < Self.validity else { return nil }
        return lesson.capacity
    }

    /// A link was made, and is one of `count`.
    mutating func connected(_ peripheral: Address, as count: Int) {
        failures[peripheral] = nil
        if let lesson, count > lesson.capacity { self.lesson = nil }
    }

    /// A link could not be made with `count` others up.
    mutating func refused(_ peripheral: Address, with count: Int, at now: Instant) {
        var failure = failures[peripheral] ?? Failures(lowest: count, count: 0)
        failure = Failures(lowest: min(failure.lowest, count), count: failure.count + 1)
        failures[peripheral] = failure
        // It does no better with fewer: it is out of reach, and no witness.
        if let lesson, count < lesson.capacity { self.lesson = nil }
        let witnesses = failures.values.filter { $0.lowest == count }
        guard count >= Self.least, witnesses.count >= Self.evidence.peripherals,
            witnesses.reduce(0, { $0 + $1.count }) >= Self.evidence.failures
        else { return }
        lesson = (count, now)
    }
}

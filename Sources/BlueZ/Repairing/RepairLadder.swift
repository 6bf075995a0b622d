internal import Bluetooth
internal import EventLoop

/// What is to be done about the peripherals of one adapter that are stuck: links that cannot be ended, attempts of nobody
/// that cannot be either, and an adapter with which nobody connects any more.
///
/// A value without any input or output. What does not help is not done again and again: the rest after it doubles.
struct RepairLadder {
    fileprivate struct Trouble {
        var repairs = 0
        var next: Instant
    }

    /// The rest after a peripheral's first repair, and after an adapter's.
    static let rest = (ofPeripheral: Duration.seconds(60), ofAdapter: Duration.seconds(600))
    static let longestRest = Duration.seconds(3600)
    /// How many peripherals fail, and for how long, before the adapter is taken for the cause.
    static let evidence = (peripherals: 3, time: Duration.seconds(60))

    private var troubles: [Address: Trouble] = [:]
    private var adapter: Trouble?
    /// Those that could not be connected since somebody last could.
    private var failing: Set<Address> = []
    private var failingSince: Instant?

    /// Something of a peripheral is stuck; the outcome is what to do about it, if anything.
    ///
    /// - Parameters:
    ///   - isBonded: whether bluetoothd has keys of it, which would be forgotten.
    ///   - isInUse: whether the adapter has links to others, which a power cycle would end.
    mutating func stuck(_ peripheral: Address, isBonded: Bool, isInUse: Bool, at now: Instant) -> Repair? {
        var trouble = troubles[peripheral] ?? Trouble(next: now)
        guard now >= trouble.next else { return nil }
        let isFirst = trouble.repairs % 2 == 0
        trouble.advance(at: now, by: Self.rest.ofPeripheral)
        if isFirst || isInUse, !isBonded {
            troubles[peripheral] = trouble
            return .removeDevice(peripheral)
        }
        guard !isInUse, let repair = powerCycle(at: now) else { return nil }
        troubles[peripheral] = trouble
        return repair
    }

    /// A peripheral could not be connected.
    mutating func failed(_ peripheral: Address, isInUse: Bool, at now: Instant) -> Repair? {
        failing.insert(peripheral)
        let start = failingSince ?? now
        failingSince = start
        guard failing.count >= Self.evidence.peripherals, now - start >= Self.evidence.time, !isInUse else {
            return nil
        }
        return powerCycle(at: now)
    }

    /// A link was made, or ended as it should.
    mutating func succeeded(_ peripheral: Address) {
        troubles[peripheral] = nil
        failing = []
        failingSince = nil
    }

    private mutating func powerCycle(at now: Instant) -> Repair? {
        var trouble = adapter ?? Trouble(next: now)
        guard now >= trouble.next else { return nil }
        trouble.advance(at: now, by: Self.rest.ofAdapter)
        adapter = trouble
        failing = []
        failingSince = nil
        return .powerCycle
    }
}

extension RepairLadder.Trouble {
    fileprivate mutating func advance(at now: Instant, by rest: Duration) {
        next = now + min(rest * (1 << min(repairs, 10)), RepairLadder.longestRest)
        repairs += 1
    }
}

import Bluetooth
import EventLoop
import System

/// Decides about the repairs of one adapter and its peripherals.
///
/// A peripheral is stuck if its connection, or the attempt of another program, does not end. An adapter is stuck if
/// connecting through it always fails.
///
/// A value without I/O. The pause after a repair doubles each time.
struct RepairLadder {
    fileprivate struct Trouble {
        var repairs = 0
        var next: Instant
    }

    /// The pauses after the first repair of a peripheral and of an adapter.
    static let pause = (ofPeripheral: Duration.seconds(60), ofAdapter: Duration.seconds(600))
    static let longestPause = Duration.seconds(3600)
    /// How many peripherals must fail to connect, and for how long, until the adapter counts as the cause.
    static let evidence = (peripherals: 3, time: Duration.seconds(60))
    /// How long connecting must fail until a power cycle is worth the connections of the adapter, and the least time
    /// between two such power cycles.
    static let sacrifice = (time: Duration.seconds(300), pause: Duration.seconds(3600))

    private var troubles: [Address: Trouble] = [:]
    private var adapter: Trouble?
    /// The peripherals that have failed to connect since the last success of any peripheral.
    private var failing: Set<Address> = []
    private var failingSince: Instant?
    /// The earliest time of the next power cycle that ends connections.
    private var nextSacrifice: Instant?

    /// Returns the repair of a peripheral that is stuck; nil: none for now.
    ///
    /// - Parameters:
    ///   - peripheral: The address of the peripheral.
    ///   - isBonded: Whether bluetoothd has the keys of a bond, which a removal of the peripheral would delete.
    ///   - isInUse: Whether the adapter has connections to other devices, which a power cycle would end.
    ///   - now: The present time.
    /// - Returns: The repair; nil if the pause is not over, or if a power cycle is needed but not possible now.
    mutating func stuck(_ peripheral: Address, isBonded: Bool, isInUse: Bool, at now: Instant) -> Repair? {
        var trouble = troubles[peripheral] ?? Trouble(next: now)
        guard now >= trouble.next else { return nil }
        let isFirst = trouble.repairs % 2 == 0
        trouble.advance(at: now, by: Self.pause.ofPeripheral)
        if isFirst || isInUse, !isBonded {
            troubles[peripheral] = trouble
            return .removeDevice(peripheral)
        }
        guard !isInUse, let repair = powerCycle(at: now) else { return nil }
        troubles[peripheral] = trouble
        return repair
    }

    /// Returns the repair after a peripheral failed to connect; nil: none for now.
    ///
    /// A controller can be stuck while its connections live. The power cycle ends them: it needs stronger evidence.
    ///
    /// - Parameters:
    ///   - peripheral: The address of the peripheral.
    ///   - connections: The number of connections of the adapter to other devices, which a power cycle would end.
    ///   - now: The present time.
    /// - Returns: The repair.
    mutating func failed(_ peripheral: Address, connections: Int, at now: Instant) -> Repair? {
        failing.insert(peripheral)
        let start = failingSince ?? now
        failingSince = start
        guard failing.count >= Self.evidence.peripherals, now - start >= Self.evidence.time else { return nil }
        guard connections > 0 else { return powerCycle(at: now) }
        guard failing.count > connections, now - start >= Self.sacrifice.time, nextSacrifice.map({ now >= $0 }) ?? true,
            let repair = powerCycle(at: now)
        else { return nil }
        nextSacrifice = now + Self.sacrifice.pause
        return repair
    }

    /// Notes that a peripheral connected.
    mutating func succeeded(_ peripheral: Address) {
        troubles[peripheral] = nil
        failing = []
        failingSince = nil
    }

    private mutating func powerCycle(at now: Instant) -> Repair? {
        var trouble = adapter ?? Trouble(next: now)
        guard now >= trouble.next else { return nil }
        trouble.advance(at: now, by: Self.pause.ofAdapter)
        adapter = trouble
        failing = []
        failingSince = nil
        return .powerCycle
    }
}

extension RepairLadder.Trouble {
    fileprivate mutating func advance(at now: Instant, by pause: Duration) {
        next = now + Backoff.delay(first: pause, longest: RepairLadder.longestPause, afterFailures: repairs)
        repairs += 1
    }
}

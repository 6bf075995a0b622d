import Bluetooth
import EventLoop
import System
import Testing

@testable import BlueZ

@Suite struct RepairLadderTests {
    private static func time(_ seconds: Int) -> Instant { Instant(nanoseconds: Int64(seconds) * 1_000_000_000) }
    private static let (a, b, c) = (Address(1), Address(2), Address(3))

    /// Returns the repairs of a peripheral that is stuck each second, by their times in seconds.
    private static func repairs(isBonded: Bool, isInUse: Bool, until end: Int) -> [Int: Repair] {
        var ladder = RepairLadder()
        var repairs: [Int: Repair] = [:]
        for second in 0..<end {
            repairs[second] = ladder.stuck(a, isBonded: isBonded, isInUse: isInUse, at: time(second))
        }
        return repairs
    }

    @Test func `RepairLadder alternates the repairs of a peripheral with growing pauses`() {
        #expect(
            Self.repairs(isBonded: false, isInUse: false, until: 3000) == [
                0: .removeDevice(Self.a), 60: .powerCycle, 180: .removeDevice(Self.a), 660: .powerCycle,
                1140: .removeDevice(Self.a), 2100: .powerCycle,
            ])
    }

    @Test func `RepairLadder does not cycle the power of an adapter in use, nor remove a bonded device`() {
        #expect(
            Self.repairs(isBonded: false, isInUse: true, until: 400) == [
                0: .removeDevice(Self.a), 60: .removeDevice(Self.a), 180: .removeDevice(Self.a),
            ])
        #expect(Self.repairs(isBonded: true, isInUse: true, until: 3000) == [:])
        #expect(Self.repairs(isBonded: true, isInUse: false, until: 100) == [0: .powerCycle])
    }

    @Test func `RepairLadder starts again after a success`() {
        var ladder = RepairLadder()
        for second in [0, 1, 2] {
            #expect(
                ladder.stuck(Self.a, isBonded: false, isInUse: false, at: Self.time(second)) == .removeDevice(Self.a))
            ladder.succeeded(Self.a)
        }
    }

    @Test func `RepairLadder cycles the power of an adapter if connecting fails for every peripheral`() {
        var ladder = RepairLadder()
        var repairs: [Int] = []
        for second in 0..<4000 {
            let address = [Self.a, Self.b, Self.c][second % 3]
            if ladder.failed(address, connections: 0, at: Self.time(second)) == .powerCycle { repairs.append(second) }
        }
        #expect(repairs == [60, 660, 1860])
        // Two peripherals out of range do not suffice, nor do any while the adapter has connections.
        ladder = RepairLadder()
        for second in 0..<4000 {
            let address = [Self.a, Self.b][second % 2]
            #expect(ladder.failed(address, connections: 0, at: Self.time(second)) == nil)
        }
        for second in 4000..<8000 {
            let address = [Self.a, Self.b, Self.c][second % 3]
            #expect(ladder.failed(address, connections: 3, at: Self.time(second)) == nil)
        }
    }

    @Test func `RepairLadder ends few connections for a power cycle if more peripherals fail for five minutes`() {
        var ladder = RepairLadder()
        var repairs: [Int] = []
        for second in 0..<9000 {
            let address = [Self.a, Self.b, Self.c][second % 3]
            if ladder.failed(address, connections: 2, at: Self.time(second)) == .powerCycle { repairs.append(second) }
        }
        // At most once an hour.
        #expect(repairs == [300, 3900, 7500])
        ladder = RepairLadder()
        for second in 0..<1000 {
            if second % 200 == 0 { ladder.succeeded(Self.c) }
            let address = [Self.a, Self.b, Self.c][second % 3]
            #expect(ladder.failed(address, connections: 1, at: Self.time(second)) == nil)
        }
    }
}

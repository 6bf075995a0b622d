import Bluetooth
import EventLoop
import System
import TestSupport
import Testing

@testable import BlueZ

@Suite struct ConnectionSlotsTests {
    private static func address(_ number: Int) -> Address { Address(0xC0_00_00_00_00_00 + UInt64(number)) }
    private static func time(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }
    private static let (a, b, c, d) = (address(1), address(2), address(3), address(4))

    @Test func `ConnectionSlots grants every request if no limit is known`() {
        var slots = ConnectionSlots(capacity: nil)
        for number in 1...20 {
            let address = Self.address(number)
            #expect(slots.request(address, .background, at: Self.time(0)) == [.grant(address)])
        }
        #expect(slots.usedCount == 20)
    }

    @Test func `ConnectionSlots grants the more urgent request first, then the older one`() {
        var slots = ConnectionSlots(capacity: 1)
        #expect(slots.request(Self.a, .session, at: Self.time(0)) == [.grant(Self.a)])
        #expect(slots.request(Self.b, .background, at: Self.time(1)) == [])
        #expect(slots.request(Self.c, .session, at: Self.time(2)) == [])
        #expect(slots.request(Self.d, .session, at: Self.time(3)) == [])
        #expect(slots.release(Self.a, at: Self.time(4)) == [.grant(Self.c)])
        #expect(slots.release(Self.c, at: Self.time(5)) == [.grant(Self.d)])
        #expect(slots.release(Self.d, at: Self.time(6)) == [.grant(Self.b)])
        #expect(slots.waitingCount == 0)
    }

    @Test func `ConnectionSlots recalls a background connection for an urgent request, but not at once`() {
        var slots = ConnectionSlots(capacity: 2)
        _ = slots.request(Self.a, .background, at: Self.time(0))
        _ = slots.request(Self.b, .session, at: Self.time(0))
        #expect(slots.request(Self.c, .command, at: Self.time(1)) == [])
        #expect(slots.nextDecision(after: Self.time(1)) == Self.time(5))
        #expect(slots.decide(at: Self.time(5)) == [.recall(Self.a, for: Self.c)])
        // One recall is enough.
        #expect(slots.decide(at: Self.time(6)) == [])
        #expect(slots.release(Self.a, at: Self.time(7)) == [.grant(Self.c)])
    }

    @Test func `ConnectionSlots limits a connection among equals in time, but only while others wait`() {
        var slots = ConnectionSlots(capacity: 1)
        _ = slots.request(Self.a, .background, at: Self.time(0))
        #expect(slots.decide(at: Self.time(1000)) == [])
        #expect(slots.nextDecision(after: Self.time(1000)) == nil)
        #expect(slots.request(Self.b, .background, at: Self.time(1001)) == [.recall(Self.a, for: Self.b)])
        #expect(slots.release(Self.a, at: Self.time(1002)) == [.grant(Self.b)])
        #expect(slots.request(Self.a, .background, at: Self.time(1003)) == [])
        #expect(slots.decide(at: Self.time(1061)) == [])
        #expect(slots.decide(at: Self.time(1062)) == [.recall(Self.b, for: Self.a)])
    }

    @Test func `ConnectionSlots recalls another connection if the first one does not end`() {
        var slots = ConnectionSlots(capacity: 2)
        for address in [Self.a, Self.b] { _ = slots.request(address, .background, at: Self.time(0)) }
        #expect(slots.request(Self.c, .background, at: Self.time(100)) == [.recall(Self.a, for: Self.c)])
        #expect(slots.decide(at: Self.time(159)) == [])
        #expect(slots.nextDecision(after: Self.time(159)) == Self.time(160))
        #expect(slots.decide(at: Self.time(160)) == [.recall(Self.b, for: Self.c)])
        #expect(slots.release(Self.b, at: Self.time(161)) == [.grant(Self.c)])
    }

    @Test func `ConnectionSlots moves a request up that becomes urgent, and drops a released one`() {
        var slots = ConnectionSlots(capacity: 1)
        for address in [Self.a, Self.b, Self.c] { _ = slots.request(address, .background, at: Self.time(0)) }
        #expect(slots.setPriority(.command, of: Self.c, at: Self.time(1)) == [])
        #expect(slots.release(Self.a, at: Self.time(2)) == [.grant(Self.c)])
        #expect(slots.release(Self.b, at: Self.time(3)) == [])
        #expect(slots.release(Self.c, at: Self.time(4)) == [])
        #expect(slots.usedCount == 0)
    }

    @Test func `ConnectionSlots counts connections that were not requested`() {
        var slots = ConnectionSlots(capacity: 1)
        slots.occupy(Self.a, at: Self.time(0))
        slots.occupy(Self.b, at: Self.time(0))
        #expect(slots.usedCount == 2)
        #expect(slots.request(Self.c, .session, at: Self.time(1)) == [])
        #expect(slots.release(Self.a, at: Self.time(2)) == [])
        #expect(slots.release(Self.b, at: Self.time(3)) == [.grant(Self.c)])
    }

    /// Peripherals that stay connected, among many sessions and commands.
    @Test(arguments: 0..<25)
    func `ConnectionSlots never exceeds the capacity, and grants each request in bounded time`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var crowd = Crowd(capacity: Int.random(in: 1...7, using: &random))
        for second in 0..<2000 { crowd.pass(second: Double(second), using: &random) }
        #expect(crowd.mistakes == [])
        // No request waits longer than all others take with their longest connection.
        let rounds = (Crowd.size + crowd.capacity - 1) / crowd.capacity
        #expect(crowd.longestWait <= Double(rounds) * 75 + 90)
    }
}

/// Peripherals that connect and disconnect at random.
private struct Crowd {
    static let size = 20
    let capacity: Int
    var slots: ConnectionSlots
    var mistakes: [String] = []
    var longestWait = 0.0
    private var asked: [Address: Double] = [:]
    private var held: [Address: Double] = [:]
    /// When the peripherals that have been recalled disconnect.
    private var leaving: [Address: Double] = [:]

    init(capacity: Int) {
        self.capacity = capacity
        slots = ConnectionSlots(capacity: capacity)
    }

    mutating func pass(second: Double, using random: inout SeededGenerator) {
        let now = Instant(nanoseconds: Int64(second * 1e9))
        for number in 0..<Self.size {
            let address = Address(UInt64(number))
            let isBackground = number < 10
            if let end = leaving[address], end <= second {
                (leaving[address], held[address]) = (nil, nil)
                take(slots.release(address, at: now), second, &random)
            } else if held[address] == nil && asked[address] == nil {
                guard isBackground || random.next() % 3 == 0 else { continue }
                asked[address] = second
                let priority: ConnectionPriority = isBackground ? .background : number < 15 ? .session : .command
                take(slots.request(address, priority, at: now), second, &random)
                // Sessions and commands end by themselves.
            } else if held[address] != nil && leaving[address] == nil && !isBackground {
                leaving[address] = second + Double(random.next() % 5)
            }
        }
        if let next = slots.nextDecision(after: Instant(nanoseconds: now.nanoseconds - 1)), next <= now {
            take(slots.decide(at: now), second, &random)
        }
        if slots.usedCount > capacity { mistakes.append("\(second): \(slots.usedCount) connections") }
        if slots.usedCount != held.count { mistakes.append("\(second): \(held.count) are connected") }
    }

    private mutating func take(
        _ decisions: [ConnectionSlots.Decision], _ second: Double, _ random: inout SeededGenerator
    ) {
        for decision in decisions {
            switch decision {
            case .grant(let address):
                guard let since = asked.removeValue(forKey: address) else {
                    mistakes.append("\(second): \(address) has not requested a slot")
                    continue
                }
                held[address] = second
                longestWait = max(longestWait, second - since)
            case .recall(let address, _):
                if held[address] == nil { mistakes.append("\(second): \(address) has no slot to free") }
                leaving[address] = leaving[address] ?? second + Double(random.next() % 3)
            }
        }
    }
}

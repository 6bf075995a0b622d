import Bluetooth
import EventLoop
import System
import TestSupport
import Testing

@testable import BlueZ

@Suite struct ConnectionTurnsTests {
    private static func address(_ number: Int) -> Address { Address(0xC0_00_00_00_00_00 + UInt64(number)) }
    private static func time(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }
    private static let (a, b, c) = (address(1), address(2), address(3))

    @Test func `ConnectionTurns admits one peripheral at a time, in the order of the requests`() {
        var turns = ConnectionTurns()
        #expect(turns.enter(Self.a, at: Self.time(0)) == [.admit(Self.a)])
        #expect(turns.enter(Self.b, at: Self.time(0.1)) == [])
        #expect(turns.enter(Self.c, at: Self.time(0.2)) == [])
        #expect(turns.leave(Self.a, isConnected: true, at: Self.time(0.5)) == [.admit(Self.b)])
        #expect(turns.leave(Self.c, isConnected: false, at: Self.time(0.6)) == [])
        #expect(turns.leave(Self.b, isConnected: true, at: Self.time(0.7)) == [])
        #expect(turns.active == nil)
        #expect(turns.nextDecision == nil)
    }

    @Test func `ConnectionTurns adds up the turns, also the one that goes on and one that does not end`() {
        var turns = ConnectionTurns()
        _ = turns.enter(Self.a, at: Self.time(0))
        #expect(turns.time(at: Self.time(1)) == .seconds(1))
        _ = turns.leave(Self.a, isConnected: true, at: Self.time(1.5))
        #expect(turns.time(at: Self.time(9)) == .milliseconds(1500))
        _ = turns.enter(Self.b, at: Self.time(10))
        _ = turns.enter(Self.a, at: Self.time(11))
        #expect(turns.decide(at: Self.time(14)) == [.interrupt(Self.b)])
        #expect(turns.decide(at: Self.time(19)) == [.admit(Self.a)])
        #expect(turns.time(at: Self.time(20)) == .milliseconds(11_500))
    }

    @Test func `ConnectionTurns does not limit a single attempt, and ends it after a short turn if others wait`() {
        var turns = ConnectionTurns()
        _ = turns.enter(Self.a, at: Self.time(0))
        #expect(turns.nextDecision == nil)
        #expect(turns.decide(at: Self.time(15)) == [])
        #expect(turns.enter(Self.b, at: Self.time(15)) == [.interrupt(Self.a)])
        #expect(turns.leave(Self.a, isConnected: false, at: Self.time(15.1)) == [.admit(Self.b)])
    }

    @Test func `ConnectionTurns gives a peripheral that does not answer a long turn after the others`() {
        var turns = ConnectionTurns()
        _ = turns.enter(Self.a, at: Self.time(0))
        _ = turns.enter(Self.b, at: Self.time(0))
        #expect(turns.nextDecision == Self.time(2))
        #expect(turns.decide(at: Self.time(2)) == [.interrupt(Self.a)])
        #expect(turns.leave(Self.a, isConnected: false, at: Self.time(2)) == [.admit(Self.b)])
        #expect(turns.enter(Self.a, at: Self.time(2)) == [])
        #expect(turns.enter(Self.c, at: Self.time(3)) == [])
        #expect(turns.leave(Self.b, isConnected: true, at: Self.time(3)) == [.admit(Self.c)])
        #expect(turns.leave(Self.c, isConnected: true, at: Self.time(4)) == [.admit(Self.a)])
        _ = turns.enter(Self.b, at: Self.time(5))
        #expect(turns.nextDecision == Self.time(16))
        #expect(turns.decide(at: Self.time(16)) == [.interrupt(Self.a)])
        #expect(turns.leave(Self.a, isConnected: false, at: Self.time(16)) == [.admit(Self.b)])
        // The next long turn must wait; a short one is 1 s plus twice the last time to connect.
        _ = turns.leave(Self.b, isConnected: true, at: Self.time(17))
        _ = turns.enter(Self.a, at: Self.time(18))
        _ = turns.enter(Self.b, at: Self.time(18))
        #expect(turns.nextDecision == Self.time(21))
    }

    @Test func `ConnectionTurns delays long turns without success more and more, until a success`() {
        var turns = ConnectionTurns()
        var now = 0.0
        var pauses: [Double] = []
        for _ in 0..<4 {
            _ = turns.enter(Self.a, at: Self.time(now))
            now += 12
            _ = turns.leave(Self.a, isConnected: false, at: Self.time(now))
            // How long only short turns are given.
            var pause = 0.0
            while turns.turnLength(of: Self.a, at: Self.time(now + pause)) < ConnectionTurns.longTurn { pause += 1 }
            pauses.append(pause)
        }
        #expect(pauses == [30, 60, 120, 240])
        _ = turns.enter(Self.a, at: Self.time(now))
        _ = turns.leave(Self.a, isConnected: true, at: Self.time(now + 1))
        _ = turns.enter(Self.a, at: Self.time(now + 2))
        _ = turns.enter(Self.b, at: Self.time(now + 2))
        #expect(turns.nextDecision == Self.time(now + 5))
    }

    @Test func `ConnectionTurns admits the next peripheral if an attempt does not end`() {
        var turns = ConnectionTurns()
        _ = turns.enter(Self.a, at: Self.time(0))
        _ = turns.enter(Self.b, at: Self.time(1))
        #expect(turns.decide(at: Self.time(2)) == [.interrupt(Self.a)])
        #expect(turns.nextDecision == Self.time(7))
        #expect(turns.decide(at: Self.time(7)) == [.admit(Self.b)])
        #expect(turns.leave(Self.a, isConnected: false, at: Self.time(8)) == [])
        #expect(turns.active == Self.b)
    }

    @Test func `ConnectionTurns ends an attempt at its limit and admits it again after a pause`() {
        var turns = ConnectionTurns(limit: AttemptLimit(length: .seconds(3), pause: .seconds(8)))
        _ = turns.enter(Self.a, at: Self.time(0))
        #expect(turns.nextDecision == Self.time(3))
        #expect(turns.decide(at: Self.time(3)) == [.interrupt(Self.a)])
        _ = turns.leave(Self.a, isConnected: false, at: Self.time(3.1))
        #expect(turns.enter(Self.a, at: Self.time(3.1)) == [])
        #expect(turns.nextDecision == Self.time(11.1))
        // Its pause does not delay other peripherals.
        #expect(turns.enter(Self.b, at: Self.time(4)) == [.admit(Self.b)])
        _ = turns.leave(Self.b, isConnected: true, at: Self.time(4.5))
        #expect(turns.decide(at: Self.time(11)) == [])
        #expect(turns.decide(at: Self.time(11.1)) == [.admit(Self.a)])
        // After a connection there is no pause.
        _ = turns.leave(Self.a, isConnected: true, at: Self.time(12))
        #expect(turns.enter(Self.a, at: Self.time(13)) == [.admit(Self.a)])
    }

    @Test func `ConnectionTurns does not exceed the limit of attempts with a long turn`() {
        var turns = ConnectionTurns(limit: AttemptLimit(length: .seconds(3), pause: .seconds(8)))
        _ = turns.enter(Self.a, at: Self.time(0))
        _ = turns.enter(Self.b, at: Self.time(0))
        #expect(turns.nextDecision == Self.time(2))
        _ = turns.decide(at: Self.time(2))
        #expect(turns.leave(Self.a, isConnected: false, at: Self.time(2)) == [.admit(Self.b)])
        #expect(turns.turnLength(of: Self.a, at: Self.time(2)) == .seconds(3))
    }

    /// A peripheral of a random set.
    private struct Member {
        /// The time in seconds from the beginning of a turn until it answers; nil: never.
        var answer: Double?
        var connectedAt: Double?
        var leavesAt: Double?
    }

    @Test func `ConnectionTurns connects all peripherals that answer, one at a time, without long waits for others`() {
        for seed in 0..<1000 {
            var generator = SeededGenerator(seed: seed)
            var turns = ConnectionTurns()
            var members = (0..<Int.random(in: 2...12, using: &generator)).map { _ in
                Member(answer: [0.3, 0.8, 1.5, 5, 10, nil, nil].randomElement(using: &generator) ?? nil)
            }
            var active: (member: Int, since: Double)?
            var now = 0.0
            var mistakes = 0
            func take(_ decisions: [ConnectionTurns.Decision]) {
                for decision in decisions {
                    switch decision {
                    case .admit(let address):
                        if active != nil { mistakes += 1 }
                        active = (Int(address.value & 0xFF), now)
                    case .interrupt(let address):
                        if active.map({ Self.address($0.member) }) != address { mistakes += 1 }
                        members[Int(address.value & 0xFF)].leavesAt = now + 0.1
                    }
                }
            }
            for member in members.indices { take(turns.enter(Self.address(member), at: Self.time(now))) }
            while now < 400, members.contains(where: { $0.answer != nil && $0.connectedAt == nil }) {
                now += 0.1
                if turns.nextDecision.map({ $0 <= Self.time(now) }) ?? false { take(turns.decide(at: Self.time(now))) }
                guard let current = active else { continue }
                let member = current.member
                if let answer = members[member].answer, now >= current.since + answer {
                    members[member].connectedAt = now
                    members[member].leavesAt = nil
                    active = nil
                    take(turns.leave(Self.address(member), isConnected: true, at: Self.time(now)))
                } else if members[member].leavesAt.map({ now >= $0 }) ?? (now - current.since >= 20) {
                    members[member].leavesAt = nil
                    active = nil
                    take(turns.leave(Self.address(member), isConnected: false, at: Self.time(now)))
                    take(turns.enter(Self.address(member), at: Self.time(now)))
                }
            }
            #expect(mistakes == 0, "seed \(seed)")
            #expect(members.allSatisfy { ($0.answer == nil) == ($0.connectedAt == nil) }, "seed \(seed)")
            // Quick peripherals connect before the second turns of the others, which take one short turn each at most.
            let quick = members.compactMap { ($0.answer ?? .infinity) < 2 ? $0.connectedAt : nil }
            #expect(quick.max() ?? 0 <= Double(members.count) * 4.1, "seed \(seed)")
        }
    }

    @Test func `an attempt that has succeeded is not interrupted before the connection is reported`() throws {
        let loop = try EventLoop()
        let attempt = ConnectionAttempt(
            AdapterConnections(capacity: nil, limit: nil, loop: loop) { _, _ in
            } interrupt: { _ in
            })
        attempt.callSent()
        #expect(attempt.isPending)
        attempt.callSucceeded()
        #expect(attempt.isPending)
        #expect(!attempt.interrupt())
        #expect(!attempt.shouldEnd)
        // The next call is another one.
        attempt.callEnded()
        #expect(!attempt.isPending)
        attempt.callSent()
        #expect(attempt.interrupt())
        #expect(attempt.shouldEnd)
    }
}

import Bluetooth
import EventLoop
import JSON
import Simulator
import System
import TestSupport
import TestTraits
import Testing

@testable import Bridge

/// Values arrive faster than the broker accepts them.
@Suite(.ownThreads) struct LagTests {
    private let topic = "bluefleet/climate/temperature"

    @Test(arguments: [false, true])
    func `reading pauses for a slow broker for a limited time, and every value arrives`(isLong: Bool) throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.event("subscribed 2A6E", of: "climate")
            try await notify(0, fixture)
            try await fixture.recorder.next(topic)
            fixture.broker.freeze(true)
            var newest = 0
            while !fixture.loop.holdsBack, newest < 20_000 {
                newest += 1
                try await notify(newest, fixture)
            }
            #expect(newest < 20_000)
            for _ in 0..<500 {
                newest += 1
                try await notify(newest, fixture)
            }
            if isLong { try await fixture.until("the bus is read") { !fixture.loop.holdsBack } }
            fixture.broker.freeze(false)
            let temperatures = (0...newest).map { Double($0) / 100 }
            try await fixture.recorder.next(topic) { $0["value"]?.number?.double == temperatures.last }
            let heard = fixture.recorder.all(topic).compactMap { $0.json?["value"]?.number?.double }
            #expect(zip(heard, temperatures).first { $0 != $1 } == nil)
            #expect(heard.count == temperatures.count)
            #expect(!fixture.loop.holdsBack)
        }
    }

    /// Has the climate sensor notify a temperature in hundredths of a degree, and runs the loop once.
    private func notify(_ value: Int, _ fixture: Fixture) async throws {
        let temperature = try #require(UUID("2A6E"))
        try await fixture.direct { scene in
            try scene.notify([UInt8(value & 255), UInt8(value >> 8)], from: temperature, of: "climate")
        }
        await fixture.loop.sleep(for: .zero)
    }

    @Test func `Lag calls the bus once at a time, and again while values are too old`() {
        func second(_ count: Double) -> Instant { Instant(nanoseconds: Int64(count * 1e9)) }
        var lag = Lag()
        #expect([lag.ask(at: second(0)), lag.ask(at: second(1))] == [true, false])
        lag.update(at: second(4.9))
        #expect(!lag.isTooLong)
        #expect([lag.answered(at: second(4.9)), lag.ask(at: second(5))] == [false, true])
        lag.update(at: second(10))
        #expect(lag.isTooLong)
        #expect([11, 12, 12.9].map { lag.answered(at: second($0)) } == [true, true, false])
        #expect(!lag.isTooLong)
    }

    @Test func `Lag reports a slow broker after five seconds with less than a fifth of the queue sent`() {
        var lag = Lag()
        func isSlow(after seconds: [Int]) -> Bool {
            for sent in seconds { lag.secondPassed(sent: sent, waiting: 1000) }
            return lag.isBrokerSlow
        }
        #expect(!isSlow(after: [1, 1, 1, 1, 1]))
        lag.brokerFellBehind()
        #expect(!isSlow(after: [199, 199, 199, 199]))
        #expect(isSlow(after: [199]))
        #expect(!isSlow(after: [200, 199, 199, 199, 199]))
        #expect(!isSlow(after: [0, 199, 199, 199, 199]))
    }
}

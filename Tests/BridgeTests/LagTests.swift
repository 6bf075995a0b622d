import Bluetooth
import EventLoop
import JSON
import Simulator
import TestSupport
import Testing

@testable import Bridge

/// More comes than the broker takes.
@Suite struct LagTests {
    private let topic = "bluefleet/climate/temperature"

    @Test(arguments: [false, true])
    func `the bus waits for the broker, but not for long, and every value comes through`(isLong: Bool) throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.event("subscribed 2A6E", of: "climate")
            try await notify(0, stage)
            try await stage.record.next(topic)
            stage.broker.freeze(true)
            var newest = 0
            while !stage.loop.holdsBack, newest < 20_000 {
                newest += 1
                try await notify(newest, stage)
            }
            #expect(newest < 20_000)
            for _ in 0..<500 {
                newest += 1
                try await notify(newest, stage)
            }
            if isLong { try await stage.until("the bus is read") { !stage.loop.holdsBack } }
            stage.broker.freeze(false)
            let temperatures = (0...newest).map { Double($0) / 100 }
            try await stage.record.next(topic) { $0["value"]?.number?.double == temperatures.last }
            let heard = stage.record.all(topic).compactMap { $0.json?["value"]?.number?.double }
            #expect(zip(heard, temperatures).first { $0 != $1 } == nil)
            #expect(heard.count == temperatures.count)
            #expect(!stage.loop.holdsBack)
        }
    }

    /// The climate sensor notifies a temperature, in hundredths of a degree, and the loop turns.
    private func notify(_ value: Int, _ stage: Stage) async throws {
        let temperature = try #require(UUID("2A6E"))
        try await stage.direct { scene in
            try scene.notify([UInt8(value & 255), UInt8(value >> 8)], from: temperature, of: "climate")
        }
        await stage.loop.sleep(for: .zero)
    }

    @Test func `the bus is asked once at a time, and again while what is read is too old`() {
        func second(_ count: Double) -> Instant { Instant(nanoseconds: Int64(count * 1e9)) }
        var lag = Lag()
        #expect([lag.ask(at: second(0)), lag.ask(at: second(1))] == [true, false])
        lag.look(at: second(4.9))
        #expect(!lag.isTooLong)
        #expect([lag.answered(at: second(4.9)), lag.ask(at: second(5))] == [false, true])
        lag.look(at: second(10))
        #expect(lag.isTooLong)
        #expect([11, 12, 12.9].map { lag.answered(at: second($0)) } == [true, true, false])
        #expect(!lag.isTooLong)
    }

    @Test func `a broker is slow that for five seconds takes less than a fifth of what waits`() {
        var lag = Lag()
        func isSlow(after seconds: [Int]) -> Bool {
            for taken in seconds { lag.secondPassed(taken: taken, waiting: 1000) }
            return lag.isBrokerSlow
        }
        #expect(!isSlow(after: [1, 1, 1, 1, 1]))
        lag.isBrokerBehind = true
        #expect(!isSlow(after: [199, 199, 199, 199]))
        #expect(isSlow(after: [199]))
        #expect(!isSlow(after: [200, 199, 199, 199, 199]))
        #expect(!isSlow(after: [0, 199, 199, 199, 199]))
    }
}

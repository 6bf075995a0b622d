import EventLoop
import Foundation
import System
import TestSupport
import TestTraits
import Testing

@testable import MQTT

/// Messages that do not wait in the queue, and a will for each connection: gateways that share devices need both.
@Suite(.ownThreads) struct UrgentMessageTests {
    @Test func `publishNext sends a message before those that wait for the window`() throws {
        try EventLoop.run { home in
            let broker = try SlowBroker(on: home.loop)
            broker.stopAcknowledging()
            let fixture = try ClientFixture(broker.port, on: home.loop) { $0.window = 2 }
            await fixture.connected()
            for number in 1...5 { fixture.client.publish(Message("event", text: "\(number)"), policy: .each) }
            fixture.client.publishNext(Message("report", text: "urgent"))
            broker.acknowledgeAll()
            while broker.payloads.count < 6 { await home.loop.sleep(for: .milliseconds(1)) }
            #expect(broker.payloads == ["1", "2", "urgent", "3", "4", "5"])
            await fixture.close()
        }
    }

    @Test func `publishNext drops a message without a connection`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let observer = try ClientFixture(broker, "observer", on: home.loop)
            await observer.subscribe(to: "#")
            let fixture = try ClientFixture(broker, on: home.loop, start: false)
            fixture.client.publishNext(Message("report", text: "lost"))
            #expect(fixture.client.statistics.dropped == 1)
            fixture.client.start()
            await fixture.connected()
            fixture.client.publishNext(Message("report", text: "sent"))
            #expect(await observer.texts(1) == ["sent"])
            await fixture.close()
            await observer.close()
        }
    }

    @Test func `each attempt to connect has a will with another payload`() throws {
        let broker = try Broker()
        try EventLoop.run { home in
            let observer = try ClientFixture(broker, "observer", on: home.loop)
            await observer.subscribe(to: "state")
            let count = Counter()
            let fixture = try ClientFixture(broker, on: home.loop) { settings in
                settings.will = Message("state", text: "none")
                settings.willPayload = { Array("lost \(count.next())".utf8) }
                settings.transmissionTimeout = .seconds(2)
            }
            for number in 1...3 {
                await fixture.connected()
                fixture.abort()
                #expect(await observer.texts(1) == ["lost \(number)"])
            }
            await fixture.close()
            await observer.close()
        }
    }

    /// Used only on the thread of the loop.
    private final class Counter: @unchecked Sendable {
        private var count = 0

        func next() -> Int {
            count += 1
            return count
        }
    }
}

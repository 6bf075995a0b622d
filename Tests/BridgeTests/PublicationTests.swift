import Codec
import Configuration
import EventLoop
import JSON
import MQTT
import System
import TestTraits
import Testing

@testable import Bridge
@testable import Contract

@Suite(.ownThreads) struct PublicationTests {
    /// Returns a publication with these rules, whose client has no broker: messages stay in its queue.
    private static func publication(
        _ rules: String, _ loop: EventLoop, keep: Configuration.Keep? = nil
    ) throws -> (Client, Publication) {
        let client = try Client(Client.Settings(.tcp(host: "127.0.0.1", port: 1), identifier: "attic"), on: loop) { _ in
        }
        let publisher = try Publisher(
            number: 0, client: client, broker: BrokerNodes(.tcp(host: "127.0.0.1", port: 1)),
            MessageBuilder(
                topics: try Topics(prefix: "bluefleet", gateway: "attic"), qualityOfService: .atLeastOnce,
                gateway: "attic"), LateNumbers())
        let configuration = try Configuration(
            yaml: """
                devices:
                  sensor:
                    address: C0:00:00:00:00:01
                    characteristics: {temperature: {subscribe: true, publish: \(rules)}}
                """)
        let publication = try Publication(
            "temperature", of: "sensor", isRetained: false, keep: keep,
            configuration.devices[0].characteristics[0].publish,
            publisher, loop: loop)
        return (client, publication)
    }

    private static func take(_ value: Value, _ publication: Publication, _ loop: EventLoop) {
        let reading = ReceivedReading(reading: .value(value, unit: "°C"), time: loop.timestamp)
        publication.take(reading, expiry: nil, at: loop.now)
    }

    private static func wait(_ seconds: Int, _ loop: EventLoop) async {
        loop.advance(by: .seconds(seconds))
        await loop.sleep(for: .zero)
    }

    @Test
    func `Publication of a shared device publishes no earlier reading while another gateway publishes the device`()
        throws
    {
        try EventLoop.run(time: .manual) { home in
            let (client, publication) = try Self.publication("{on_change: true, at_most_every: 10s}", home.loop)
            let permission = Permission()
            publication.share(by: permission)
            func take(_ value: Value) { Self.take(value, publication, home.loop) }
            func wait(_ seconds: Int) async { await Self.wait(seconds, home.loop) }
            take(20)
            take(21)
            #expect(client.statistics.waiting == 1)
            // The reading that waits for its time also waits for the permission.
            permission.mayPublish = false
            await wait(10)
            #expect(client.statistics.waiting == 1)
            permission.mayPublish = true
            await wait(1)
            #expect(client.statistics.waiting == 2)
            // Another gateway may have published other values: the same value is news again.
            publication.forget()
            take(21)
            #expect(client.statistics.waiting == 3)
            await client.close()
        }
    }

    /// Used only on the thread of the loop.
    private final class Permission: Publication.Sharing {
        var mayPublish = true
        var kept: [Message] = []

        func keep(_ message: Message, _ arrival: Instant) {
            kept.append(message)
        }
    }

    @Test func `Publication keeps what its rules let through, and an average that ends in doubt`() throws {
        try EventLoop.run(time: .manual) { home in
            func reading(_ number: Decimal) -> ReceivedReading {
                ReceivedReading(reading: .value(.number(number), unit: nil), time: home.loop.timestamp)
            }
            let (client, changes) = try Self.publication("{on_change: true}", home.loop)
            let messages = [20, 20, 21].map { changes.messageToKeep(reading($0), at: home.loop.now) }
            #expect(messages.map { $0?.json?["value"] } == [20, nil, 21])
            let (other, averages) = try Self.publication("{average: 5m}", home.loop, keep: .all)
            let permission = Permission()
            permission.mayPublish = false
            averages.share(by: permission)
            #expect(averages.isKept && averages.messageToKeep(reading(20), at: home.loop.now) == nil)
            _ = averages.messageToKeep(reading(22), at: home.loop.now)
            await Self.wait(300, home.loop)
            #expect(permission.kept.map { $0.json?["value"] } == [21])
            #expect(client.statistics.waiting + other.statistics.waiting == 0)
            await client.close()
            await other.close()
        }
    }

    @Test func `Publication with average publishes one reading per window, and the open window at the end`() throws {
        try EventLoop.run(time: .manual) { home in
            let (client, publication) = try Self.publication("{average: 5m}", home.loop)
            func take(_ value: Value) { Self.take(value, publication, home.loop) }
            func wait(_ seconds: Int) async { await Self.wait(seconds, home.loop) }
            take(20)
            take(22)
            #expect(client.statistics.waiting == 0)
            await wait(300)
            #expect(client.statistics.waiting == 1)
            #expect(publication.number == JSON.Number(21))
            await wait(300)
            #expect(client.statistics.waiting == 1)
            take(30)
            publication.end()
            #expect(client.statistics.waiting == 2)
            await client.close()
        }
    }

    @Test func `Publication repeats the last reading while the device is available`() throws {
        try EventLoop.run(time: .manual) { home in
            let (client, publication) = try Self.publication("{at_least_every: 5m}", home.loop)
            func wait() async { await Self.wait(300, home.loop) }
            publication.deviceAvailabilityChanged(to: true)
            let reading = ReceivedReading(reading: .value(.number(20), unit: nil), time: home.loop.timestamp)
            publication.take(reading, expiry: nil, at: home.loop.now)
            await wait()
            #expect(client.statistics.waiting == 2)
            publication.deviceAvailabilityChanged(to: false)
            await wait()
            await wait()
            #expect(client.statistics.waiting == 2)
            publication.deviceAvailabilityChanged(to: true)
            await wait()
            await wait()
            #expect(client.statistics.waiting == 4)
            await client.close()
        }
    }
}

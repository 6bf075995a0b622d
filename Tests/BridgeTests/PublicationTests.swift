import Codec
import Configuration
import EventLoop
import JSON
import MQTT
import System
import Testing

@testable import Bridge
@testable import Contract

@Suite struct PublicationTests {
    /// Returns a publication with these rules, whose client has no broker: messages stay in its queue.
    private static func publication(_ rules: String, _ loop: EventLoop) throws -> (Client, Publication) {
        let client = try Client(Client.Settings(.tcp(host: "127.0.0.1", port: 1), identifier: "attic"), on: loop) { _ in
        }
        let publisher = try Publisher(
            number: 0, client: client, broker: .tcp(host: "127.0.0.1", port: 1),
            MessageBuilder(
                topics: try Topics(prefix: "bluefleet", gateway: "attic"), qualityOfService: .atLeastOnce,
                gateway: "attic"))
        let configuration = try Configuration(
            yaml: """
                devices:
                  sensor:
                    address: C0:00:00:00:00:01
                    characteristics: {temperature: {subscribe: true, publish: \(rules)}}
                """)
        let publication = try Publication(
            "temperature", of: "sensor", isRetained: false, configuration.devices[0].characteristics[0].publish,
            publisher, loop: loop)
        return (client, publication)
    }

    @Test func `Publication with average publishes one reading per window, and the open window at the end`() throws {
        try EventLoop.run(time: .manual) { home in
            let (client, publication) = try Self.publication("{average: 5m}", home.loop)
            func take(_ value: Value) {
                let reading = ReceivedReading(reading: .value(value, unit: "°C"), time: home.loop.timestamp)
                publication.take(reading, expiry: nil, at: home.loop.now)
            }
            func wait(_ seconds: Int) async {
                home.loop.advance(by: .seconds(seconds))
                await home.loop.sleep(for: .zero)
            }
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
            func wait() async {
                home.loop.advance(by: .seconds(300))
                await home.loop.sleep(for: .zero)
            }
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

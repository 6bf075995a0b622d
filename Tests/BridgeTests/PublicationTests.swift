import Codec
import Configuration
import EventLoop
import MQTT
import Testing

@testable import Bridge

/// What goes out of itself.
@Suite struct PublicationTests {
    @Test func `at least every: what is there again is told again, though it has nothing new`() throws {
        try EventLoop.run(time: .manual) { home in
            // It has no broker: what is published waits in it.
            let settings = Client.Settings(.tcp(host: "127.0.0.1", port: 1), identifier: "attic")
            let client = try Client(settings, on: home.loop) { _ in }
            let outlet = Outlet(
                number: 0, client: client, broker: .tcp(host: "127.0.0.1", port: 1),
                topics: Topics(prefix: "bluefleet", gateway: "attic"), qualityOfService: .atLeastOnce,
                gateway: "attic", eventTopic: "bluefleet/bridge/attic/event")
            let configuration = try Configuration(
                yaml: """
                    devices:
                      sensor:
                        address: C0:00:00:00:00:01
                        characteristics: {temperature: {subscribe: true, publish: {at_least_every: 5m}}}
                    """)
            let publication = try Publication(
                "temperature", of: "sensor", isRetained: false, configuration.devices[0].characteristics[0].publish,
                outlet, loop: home.loop)
            func wait() async {
                home.loop.advance(by: .seconds(300))
                await home.loop.sleep(for: .zero)
            }
            publication.isDeviceAvailable = true
            let reading = ReceivedReading(reading: .value(.number(20), unit: nil), time: home.loop.timestamp)
            publication.take(reading, expiry: nil, at: home.loop.now)
            await wait()
            #expect(client.statistics.waiting == 2)
            publication.isDeviceAvailable = false
            await wait()
            await wait()
            #expect(client.statistics.waiting == 2)
            publication.isDeviceAvailable = true
            await wait()
            await wait()
            #expect(client.statistics.waiting == 4)
            await client.close()
        }
    }
}

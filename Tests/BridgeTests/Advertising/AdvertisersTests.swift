import Bluetooth
import DBus
import EventLoop
import JSON
import MQTT
import Simulator
import Testing

/// Advertisements that the gateway sends, received by its other adapter.
@Suite struct AdvertisersTests {
    private static let fleet = """
        adapters:
          hci0: {address: "00:00:5E:00:53:01"}
          hci1: {address: "00:00:5E:00:53:02"}
        """

    /// Returns a gateway that sends values on `hci0`, and has its own advertisements as a device.
    private static func scenario(_ advertiser: String, besides others: String = "") -> Scenario {
        Scenario(
            fleet: fleet,
            """
            advertisers:
              kitchen: {adapter: "00:00:5E:00:53:01", interval: 100ms, \(advertiser)}
            \(others)
            devices:
              echo: {address: "00:00:5E:00:53:01", connect: never, publish: {on_change: false}}
            """)
    }

    private static let climate =
        "objects: {temperature: {topic: home/kitchen}, humidity: {topic: home/kitchen, member: air.humidity}, battery: 80}"

    private func publish(_ payload: String, _ fixture: Fixture, isRetained: Bool = false) {
        fixture.publish(Message("home/kitchen", Array(payload.utf8), isRetained: isRetained))
    }

    @Test func `values of topics and fixed values are sent, and another adapter decodes them`() throws {
        try withFixture(Self.scenario("name: Kitchen, " + Self.climate)) { fixture in
            #expect(try await fixture.recorder.next("bluefleet/echo/battery")["value"] == 80)
            publish(#"{"temperature": 21.537, "air": {"humidity": 40.5}}"#, fixture)
            #expect(try await fixture.recorder.next("bluefleet/echo/temperature")["value"]?.description == "21.54")
            #expect(try await fixture.recorder.next("bluefleet/echo/humidity")["value"]?.description == "40.5")
            publish(#"{"temperature": -3}"#, fixture)
            try await fixture.recorder.next("bluefleet/echo/temperature") { $0["value"] == -3 }
        }
    }

    @Test func `an advertisement is sent again after a restart of bluetoothd, and when the adapter is on again`() throws
    {
        try withFixture(Self.scenario(Self.climate)) { fixture in
            _ = try await fixture.recorder.next("bluefleet/echo/battery")
            let simulation = try #require(fixture.simulation)
            await simulation.stopBluetoothd()
            try await simulation.startBluetoothd()
            publish(#"{"temperature": 10}"#, fixture)
            try await fixture.recorder.next("bluefleet/echo/temperature") { $0["value"] == 10 }
            try await fixture.direct { try $0.switchPower(of: "hci0", on: false) }
            publish(#"{"temperature": 11}"#, fixture)
            try await fixture.direct { try $0.switchPower(of: "hci0", on: true) }
            try await fixture.recorder.next("bluefleet/echo/temperature") { $0["value"] == 11 }
        }
    }

    @Test func `a value that cannot be sent is left out`() throws {
        try withFixture(Self.scenario("objects: {temperature: {topic: home/kitchen}, window: {topic: home/kitchen}}")) {
            fixture in
            publish(#"{"temperature": 5000, "window": "open"}"#, fixture)
            #expect(try await fixture.recorder.next("bluefleet/echo/window")["value"] == true)
            publish(#"{"temperature": 5, "window": "perhaps"}"#, fixture)
            try await fixture.recorder.next("bluefleet/echo/temperature") { $0["value"] == 5 }
            publish("", fixture)
            publish(#"{"temperature": 6, "window": false}"#, fixture)
            try await fixture.recorder.next("bluefleet/echo/window") { $0["value"] == false }
        }
    }

    @Test func `values that cannot be sent write few lines of the log`() throws {
        try withFixture(Self.scenario("objects: {temperature: {topic: home/kitchen}}")) { fixture in
            let (topic, text) = ("bluefleet/bridge/attic/log", "is not a value of it")
            try await fixture.request("bridge/attic/request/log", #"{"for":"1m"}"#)
            for number in 0..<500 {
                publish(#"{"temperature": "bad\#(number)"}"#, fixture)
                publish(#"{"temperature": \#(number % 30)}"#, fixture)
            }
            publish(#"{"temperature": 99}"#, fixture)
            try await fixture.recorder.next("bluefleet/echo/temperature") { $0["value"] == 99 }
            try await fixture.recorder.next(topic) { $0["message"]?.string?.contains(text) == true }
            let lines = fixture.recorder.all(topic).count { $0.text?.contains(text) == true }
            #expect(1...70 ~= lines, "\(lines)")
        }
    }

    /// Returns the number of advertisements that `hci0` sends.
    private static func active(_ client: Connection) async throws -> Int? {
        let call = try DBus.Message(
            call: "Get", on: "org.freedesktop.DBus.Properties", at: "/org/bluez/hci0", of: "org.bluez",
            [.string("org.bluez.LEAdvertisingManager1"), .string("ActiveInstances")])
        return try await client.call(call).arguments.first?.bare.integer
    }

    @Test func `the advertisements end with the gateway`() throws {
        try withFixture(Self.scenario(Self.climate)) { fixture in
            _ = try await fixture.recorder.next("bluefleet/echo/battery")
            let client = try await Connection.open(fixture.busAddress, loop: fixture.loop)
            #expect(try await Self.active(client) == 1)
            try await fixture.stopGateway()
            #expect(try await Self.active(client) == 0)
            await client.close()
        }
    }

    @Test func `a reload changes the values and removes an advertiser`() throws {
        try withFixture(Self.scenario(Self.climate)) { fixture in
            _ = try await fixture.recorder.next("bluefleet/echo/battery")
            fixture.file = Self.scenario("objects: {battery: 70}").configuration
            #expect(try await fixture.request("bridge/attic/request/reload")["status"] == "ok")
            try await fixture.recorder.next("bluefleet/echo/battery") { $0["value"] == 70 }
            publish("7", fixture)
            #expect(fixture.recorder.all("bluefleet/echo/temperature").isEmpty)
        }
    }

    @Test func `nothing is sent while the values are too long for an advertisement`() throws {
        let values = "energy: 1, power: 1, water: 1, gas: 1, count: {topic: home/kitchen}, window: true"
        try withFixture(Self.scenario("objects: {\(values)}")) { fixture in
            try await fixture.recorder.next("bluefleet/echo/water") { $0["value"] == 1 }
            publish("256", fixture)
            let client = try await Connection.open(fixture.busAddress, loop: fixture.loop)
            try await fixture.until("no advertisement") { try await Self.active(client) == 0 }
            publish("1", fixture)
            try await fixture.recorder.next("bluefleet/echo/count") { $0["value"] == 1 }
            await client.close()
        }
    }
}

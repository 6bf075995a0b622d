import Bluetooth
import DBus
import EventLoop
import JSON
import MQTT
import Simulator
import TestSupport
import TestTraits
import Testing

/// Advertisements that the gateway sends, received by its other adapter.
@Suite(.ownThreads) struct AdvertisersTests {
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

    // MARK: Refusals

    /// Returns a gateway with these advertisers, whose adapter `hci0` has these keys.
    private static func refusing(_ adapter: String, _ advertisers: String) -> Scenario {
        Scenario(
            fleet: fleet.replacingOnce("53:01\"}", with: "53:01\", \(adapter)}"),
            """
            advertisers:
            \(advertisers)
            devices:
              echo: {address: "00:00:5E:00:53:01", connect: never, publish: {on_change: false}}
            """)
    }

    private static let kitchen = "  kitchen: {adapter: \"00:00:5E:00:53:01\", objects: {battery: 1}}"
    private static let porch = "  porch: {adapter: \"00:00:5E:00:53:01\", objects: {battery: 2}}"

    /// Waits for an event of this type about an advertiser, and returns it.
    @discardableResult
    private func event(_ type: String, of advertiser: String, _ fixture: Fixture) async throws -> JSON {
        try await fixture.recorder.next("bluefleet/bridge/attic/event") {
            $0["type"]?.string == type && $0["advertiser"]?.string == advertiser
        }
    }

    /// Waits until `health` has a state of an advertiser with this beginning of its reason, and returns its members.
    private func health(
        _ state: String, of advertiser: String, because reason: String = "", _ fixture: Fixture
    ) async throws -> JSON {
        func member(_ health: JSON) -> JSON? {
            health["advertisers"]?.array?.first { $0["name"]?.string == advertiser }
        }
        let health = try await fixture.recorder.next("bluefleet/bridge/attic/health") { health in
            let member = member(health)
            return member?["state"]?.string == state && (member?["reason"]?.string ?? "").hasPrefix(reason)
        }
        return try #require(member(health))
    }

    @Test func `an advertisement beyond the maximum of the adapter is reported, and sent when there is room`() throws {
        let scenario = Self.refusing("advertisements: 1", Self.kitchen + "\n" + Self.porch)
        try withFixture(scenario) { fixture in
            let failed = try await event("advertiser_failed", of: "porch", fixture)
            #expect(failed["reason"]?.string?.contains("already sends as many advertisements as it supports") == true)
            let refused = try await health("failed", of: "porch", fixture)
            #expect(refused["reason"] == failed["reason"])
            let sent = try await health("sending", of: "kitchen", fixture)
            #expect(sent["adapter"] == "hci0")
            fixture.file = Self.refusing("advertisements: 1", Self.porch).configuration
            #expect(try await fixture.request("bridge/attic/request/reload")["status"] == "ok")
            let recovered = try await event("advertiser_recovered", of: "porch", fixture)
            #expect(recovered["adapter"] == "hci0")
            try await fixture.recorder.next("bluefleet/echo/battery") { $0["value"] == 2 }
            let sending = try await health("sending", of: "porch", fixture)
            #expect(sending["reason"] == nil)
        }
    }

    @Test func `an advertisement that the kernel refuses is reported, and so is one whose adapter is off`() throws {
        try withFixture(Self.refusing("faults: [{fault: advertising fails, times: 1}]", Self.kitchen)) { fixture in
            let failed = try await event("advertiser_failed", of: "kitchen", fixture)
            #expect(failed["reason"]?.string?.contains("Failed to register advertisement") == true)
            try await event("advertiser_recovered", of: "kitchen", fixture)
            try await fixture.recorder.next("bluefleet/echo/battery") { $0["value"] == 1 }
            try await fixture.direct { try $0.switchPower(of: "hci0", on: false) }
            _ = try await health("waiting", of: "kitchen", because: "hci0 is off", fixture)
            try await fixture.direct { try $0.switchPower(of: "hci0", on: true) }
            _ = try await health("sending", of: "kitchen", fixture)
        }
    }

    @Test func `an adapter that cannot send advertisements is reported`() throws {
        try withFixture(Self.refusing("advertisements: 0", Self.kitchen)) { fixture in
            let failed = try await event("advertiser_failed", of: "kitchen", fixture)
            #expect(failed["reason"] == "hci0 cannot send advertisements: choose another adapter")
        }
    }

    @Test func `values that are too long are reported, and so is their end`() throws {
        let values = "energy: 1, power: 1, water: 1, gas: 1, count: {topic: home/kitchen}, window: true"
        try withFixture(Self.scenario("objects: {\(values)}")) { fixture in
            try await fixture.recorder.next("bluefleet/echo/water") { $0["value"] == 1 }
            publish("256", fixture)
            let failed = try await event("advertiser_failed", of: "kitchen", fixture)
            #expect(failed["reason"] == "the values need 22 bytes, and an advertisement has 21: remove one")
            publish("1", fixture)
            try await event("advertiser_recovered", of: "kitchen", fixture)
        }
    }

    @Test func `an advertiser without a value waits`() throws {
        try withFixture(Self.scenario("objects: {temperature: {topic: home/kitchen}}")) { fixture in
            _ = try await health("waiting", of: "kitchen", because: "no value has arrived", fixture)
            publish("20", fixture)
            try await fixture.recorder.next("bluefleet/echo/temperature") { $0["value"] == 20 }
            let events = fixture.recorder.all("bluefleet/bridge/attic/event")
            #expect(events.allSatisfy { $0.text?.contains("advertiser") != true })
        }
    }
}

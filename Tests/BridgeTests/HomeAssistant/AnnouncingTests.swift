import JSON
import MQTT
import Testing

@testable import Bridge

/// Discovery on its way to Home Assistant, and what becomes of it when devices come and go.
@Suite struct AnnouncingTests {
    static let both = """
        devices:
          cellar:
            address: C0:00:00:00:00:01
            characteristics: {temperature: {subscribe: true}, humidity: {subscribe: true}}
          attic/roof:
            address: C0:00:00:00:00:02
            characteristics: {temperature: {subscribe: true}}
        """

    static let one = """
        devices:
          cellar:
            address: C0:00:00:00:00:01
            characteristics: {temperature: {subscribe: true}}
        """

    /// Nobody of this fleet is ever heard: it is all about the broker.
    static let script = Script(fleet: "", both).with {
        $0.hasBus = false
        $0.hasBluetoothd = false
        $0.homeAssistant = "discovery: device"
    }

    static let cellar = "homeassistant/device/bluefleet_c00000000001/config"
    static let roof = "homeassistant/device/bluefleet_c00000000002/config"
    static let gateway = "homeassistant/device/bluefleet_gateway_attic/config"

    @Test func `what is retained of discovery is what Home Assistant accepts`() throws {
        try onStage(Self.script) { _, stage in
            try await stage.record.next(Self.roof)
            let retained = try await stage.retained()
            let schema = try HomeAssistantSchema()
            let topics = retained.keys.filter { $0.hasPrefix("homeassistant/") }
            #expect(topics.sorted() == [Self.cellar, Self.roof, Self.gateway])
            for topic in topics {
                let payload = try JSON(parsing: Array(retained[topic, default: ""].utf8))
                #expect(schema.complaints(about: payload, on: topic).isEmpty)
            }
        }
    }

    @Test func `Home Assistant is told again when it starts`() throws {
        try onStage(Self.script) { _, stage in
            try await stage.record.next(Self.roof)
            stage.publish(Message("homeassistant/status", Array("online".utf8)))
            try await stage.record.next(Self.cellar)
            try await stage.record.next(Self.roof)
            try await stage.record.next("bluefleet/cellar/availability")
        }
    }

    @Test func `what Home Assistant knows already is not told again`() throws {
        try onStage(Self.script) { _, stage in
            try await stage.record.next(Self.roof)
            let withoutRoof = Self.both.replacing("attic/roof:", with: "attic/floor:")
                .replacing("C0:00:00:00:00:02", with: "C0:00:00:00:00:03")
            await stage.gateway?.reload(try stage.configuration(withoutRoof))
            try await stage.record.message(Self.roof) { $0.payload.isEmpty }
            await stage.gateway?.reload(try stage.configuration(Self.both))
            try await stage.record.message(Self.roof) { !$0.payload.isEmpty }
            #expect(stage.record.all(Self.cellar).count == 1)
        }
    }

    @Test func `a device that is removed leaves nothing behind`() throws {
        try onStage(Self.script) { _, stage in
            try await stage.record.next(Self.roof)
            await stage.gateway?.reload(try stage.configuration(Self.one))
            try await stage.record.message(Self.roof) { $0.payload.isEmpty }
            let retained = try await stage.retained()
            #expect(!retained.keys.contains { $0.hasPrefix("bluefleet/attic/") || $0 == Self.roof })
            #expect(retained.keys.contains("bluefleet/cellar/availability"))
        }
    }

    @Test func `a device that was removed while the bridge did not run leaves nothing behind`() throws {
        try onStage(Self.script) { _, stage in
            try await stage.record.next(Self.roof)
            try await stage.stopGateway()
            try await stage.startGateway(Self.one)
            try await stage.record.message(Self.roof) { $0.payload.isEmpty }
            let retained = try await stage.retained()
            #expect(!retained.keys.contains { $0.hasPrefix("bluefleet/attic/") || $0 == Self.roof })
        }
    }

    @Test func `an entity that goes away is marked as removed, and then left out`() throws {
        try onStage(Self.script) { _, stage in
            try await stage.record.next(Self.cellar)
            try await stage.stopGateway()
            try await stage.startGateway(Self.one)
            try await stage.record.next(Self.cellar) { $0["components"]?["2a6f"] == ["platform": "sensor"] }
            try await stage.record.next(Self.cellar) { $0["components"]?["2a6f"] == nil }
        }
    }

    @Test func `an entity that becomes one of another kind is removed first`() throws {
        let one = Self.one.replacing("{subscribe: true}}", with: "{subscribe: true}, light: {KEYS}}")
            .replacing(
                "KEYS", with: "uuid: 7e400002-b5a3-f393-e0a9-e50e24dcca9e, format: [{name: on, type: boolean}], KEYS")
        let light = "7e400002-b5a3-f393-e0a9-e50e24dcca9e"
        let shown = one.replacing("KEYS", with: "subscribe: true")
        let script = Script(fleet: "", shown).with {
            $0.hasBus = false
            $0.hasBluetoothd = false
            $0.homeAssistant = "discovery: device"
        }
        try onStage(script) { _, stage in
            try await stage.record.next(Self.cellar) { $0["components"]?[light]?["state_topic"] != nil }
            let written = try stage.configuration(one.replacing("KEYS", with: "subscribe: true, write: true"))
            await stage.gateway?.reload(written)
            try await stage.record.next(Self.cellar) { $0["components"]?[light] == ["platform": "binary_sensor"] }
            try await stage.record.next(Self.cellar) { $0["components"]?[light]?["platform"] == "switch" }
        }
    }

    @Test func `entities that are told in another form migrate`() throws {
        try onStage(Self.script) { _, stage in
            try await stage.record.next(Self.roof)
            let configuration = try stage.configuration(Self.both, homeAssistant: "discovery: component")
            await stage.gateway?.reload(configuration)
            try await stage.record.next(Self.cellar) { $0 == ["migrate_discovery": true] }
            try await stage.record.next("homeassistant/sensor/bluefleet_c00000000001/2a6f/config")
            try await stage.record.message(Self.cellar) { $0.payload.isEmpty }
            let retained = try await stage.retained()
            #expect(!retained.keys.contains { $0.hasPrefix("homeassistant/device/") })
        }
    }
}

import HomeAssistantSchema
import JSON
import MQTT
import TestSupport
import TestTraits
import Testing

@testable import Bridge
@testable import HomeAssistant

/// The discovery on the broker when the gateway starts and when devices change.
@Suite(.ownThreads) struct AnnouncingTests {
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

    /// A scenario without Bluetooth: only the broker matters.
    static let scenario = Scenario(fleet: "", both).with {
        $0.hasBus = false
        $0.hasBluetoothd = false
        $0.homeAssistant = "discovery: device"
    }

    static let cellar = "homeassistant/device/bluefleet_c00000000001/config"
    static let roof = "homeassistant/device/bluefleet_c00000000002/config"
    static let gateway = "homeassistant/device/bluefleet_gateway_attic/config"

    @Test func `the retained discovery is valid for Home Assistant`() throws {
        try withFixture(Self.scenario) { fixture in
            try await fixture.recorder.next(Self.roof)
            let retained = try await fixture.retained()
            let schema = try HomeAssistantSchema()
            let topics = retained.keys.filter { $0.hasPrefix("homeassistant/") }
            #expect(topics.sorted() == [Self.cellar, Self.roof, Self.gateway])
            for topic in topics {
                let payload = try JSON(parsing: Array(retained[topic, default: ""].utf8))
                #expect(schema.complaints(about: payload, on: topic).isEmpty)
            }
        }
    }

    @Test func `the discovery is published again when Home Assistant starts`() throws {
        try withFixture(Self.scenario) { fixture in
            try await fixture.recorder.next(Self.roof)
            fixture.publish(Message("homeassistant/status", Array("online".utf8)))
            try await fixture.recorder.next(Self.cellar)
            try await fixture.recorder.next(Self.roof)
            try await fixture.recorder.next("bluefleet/cellar/availability")
        }
    }

    @Test func `everything retained is published again when Home Assistant starts`() throws {
        let scenario = Scenario.climate("connect: always").beating().with { $0.homeAssistant = "discovery: device" }
        try withFixture(scenario) { fixture in
            for name in ["climate/temperature", "climate/humidity", "climate/battery", "bridge/attic/adapters"] {
                try await fixture.recorder.next("bluefleet/\(name)")
            }
            let before = try await fixture.retained()
            // Another program clears the broker.
            for topic in before.keys {
                fixture.publish(Message(try Topic(topic), qualityOfService: .atLeastOnce, isRetained: true))
                fixture.recorder.forget(topic)
            }
            fixture.publish(Message("homeassistant/status", Array("online".utf8)))
            for topic in before.keys { try await fixture.recorder.message(topic) }
            #expect(Set(try await fixture.retained().keys) == Set(before.keys))
        }
    }

    /// Otherwise everything would be published twice after each connection to a broker that retains the status.
    @Test func `a retained status of Home Assistant reports no start`() {
        let status = { (text: String, isRetained: Bool) in
            DiscoveryAnnouncer.reportsStart(Message("homeassistant/status", Array(text.utf8), isRetained: isRetained))
        }
        #expect(status("online", false))
        #expect(!status("online", true))
        #expect(!status("offline", false))
    }

    @Test func `an unchanged discovery is not published again`() throws {
        try withFixture(Self.scenario) { fixture in
            try await fixture.recorder.next(Self.roof)
            let withoutRoof = Self.both.replacingAll("attic/roof:", with: "attic/floor:")
                .replacingAll("C0:00:00:00:00:02", with: "C0:00:00:00:00:03")
            await fixture.reload(try fixture.configuration(withoutRoof))
            try await fixture.recorder.message(Self.roof) { $0.payload.isEmpty }
            await fixture.reload(try fixture.configuration(Self.both))
            try await fixture.recorder.message(Self.roof) { !$0.payload.isEmpty }
            #expect(fixture.recorder.all(Self.cellar).count == 1)
        }
    }

    @Test func `a removed device leaves no retained message`() throws {
        try withFixture(Self.scenario) { fixture in
            try await fixture.recorder.next(Self.roof)
            await fixture.reload(try fixture.configuration(Self.one))
            try await fixture.recorder.message(Self.roof) { $0.payload.isEmpty }
            // Home Assistant logs an error if a state becomes empty while it has the entity.
            let cleared = fixture.recorder.messages.filter(\.payload.isEmpty).map(\.topic.description)
            let isOwn = { (topic: String) in topic.hasPrefix("bluefleet/attic/") }
            #expect(cleared.firstIndex(of: Self.roof) ?? .max < cleared.firstIndex(where: isOwn) ?? .max)
            try await fixture.recorder.message("bluefleet/attic/roof/info") { $0.payload.isEmpty }
            try await fixture.recorder.message("bluefleet/attic/roof/connection") { $0.payload.isEmpty }
            try await fixture.recorder.message("bluefleet/attic/roof/availability") { $0.payload.isEmpty }
            let retained = try await fixture.retained()
            #expect(!retained.keys.contains { $0.hasPrefix("bluefleet/attic/") || $0 == Self.roof })
            #expect(retained.keys.contains("bluefleet/cellar/availability"))
        }
    }

    /// Home Assistant 2026.2 logs a warning for each disabled entity of a removed device that was not replaced before.
    @Test(arguments: [true, false])
    func `the entities of a removed device are replaced before the discovery is cleared`(isRunning: Bool) throws {
        try withFixture(Self.scenario) { fixture in
            try await fixture.recorder.next(Self.roof)
            if isRunning {
                await fixture.reload(try fixture.configuration(Self.one))
            } else {
                try await fixture.stopGateway()
                try await fixture.startGateway(Self.one)
            }
            try await fixture.recorder.message(Self.roof) { $0.payload.isEmpty }
            let messages = fixture.recorder.all(Self.roof)
            #expect(messages.map(\.payload.isEmpty) == [false, false, true])
            let (discovery, notice) = (try JSON(parsing: messages[0].payload), try JSON(parsing: messages[1].payload))
            #expect(try HomeAssistantSchema().complaints(about: notice, on: Self.roof).isEmpty)
            let (before, after) = (discovery["components"]?.object ?? [:], notice["components"]?.object ?? [:])
            #expect(before.names.sorted() == after.names && after.names.contains("signal_strength"))
            for name in before.names {
                #expect(after[name]?["platform"] == before[name]?["platform"])
                #expect(after[name]?["unique_id"] != before[name]?["unique_id"])
                #expect(after[name]?["enabled_by_default"] == nil)
            }
            let retained = try await fixture.retained()
            #expect(!retained.keys.contains { $0.hasPrefix("homeassistant/") && $0.hasSuffix("/removed") })
        }
    }

    @Test(arguments: [true, false])
    func `a removal that an outage of the broker interrupts ends after the outage`(isAddedAgain: Bool) throws {
        try withFixture(Self.scenario) { fixture in
            try await fixture.recorder.next(Self.roof)
            async let removal: Void = fixture.reload(try fixture.configuration(Self.one))
            try await fixture.recorder.next(Self.roof) { $0["components"]?["2a6e"]?["unique_id"] == Self.replacement }
            fixture.broker.stop()
            try await removal
            if isAddedAgain { await fixture.reload(try fixture.configuration(Self.both)) }
            try fixture.broker.start()
            try await fixture.recorder.message(Self.roof) { $0.payload.isEmpty }
            if isAddedAgain { try await fixture.recorder.message(Self.roof) { !$0.payload.isEmpty } }
            #expect(try await fixture.retained().keys.contains(Self.roof) == isAddedAgain)
        }
    }

    private static let replacement: JSON = "bluefleet_c00000000002_2a6e-removed"

    @Test func `RemovalNotices ends a removal once, or cancels it`() {
        var removalNotices = RemovalNotices()
        #expect(removalNotices.begin("a", [:]) == nil && !removalNotices.isUnderWay("a"))
        #expect(removalNotices.begin("a", ["b": "sensor"]) != nil && removalNotices.isUnderWay("a"))
        #expect(removalNotices.begin("a", ["b": "sensor"]) == nil && removalNotices.isUnderWay("a"))
        #expect(removalNotices.cancel("a") && !removalNotices.cancel("a"))
        #expect(removalNotices.end() == [])
        _ = removalNotices.begin("a", ["b": "sensor"])
        #expect(removalNotices.end() == ["a"])
        #expect(removalNotices.end() == [])
    }

    private static let silent = "homeassistant/device/bluefleet_c00000000002/removed"

    @Test(arguments: ["sensor", "binary_sensor", "event", "number", "select", "text", "button", "switch"])
    func `RemovalNotices has what Home Assistant requires of each platform`(platform: String) throws {
        var removalNotices = RemovalNotices()
        let notice = JSON.object(removalNotices.begin(Self.roof, ["b": platform]) ?? [:])
        #expect(notice["components"]?["b"]?["unique_id"] == "bluefleet_c00000000002_b-removed")
        #expect(notice["availability"] == [["topic": .string(Self.silent)]] && notice["availability_mode"] == "all")
        // Otherwise Home Assistant would show the messages of the former topic without the former template.
        #expect(platform == "button" || notice["components"]?["b"]?["state_topic"] != nil)
        #expect(try HomeAssistantSchema().complaints(about: notice, on: Self.roof).isEmpty)
    }

    @Test func `a device that was removed while the gateway was stopped leaves no retained message`() throws {
        try withFixture(Self.scenario) { fixture in
            try await fixture.recorder.next(Self.roof)
            try await fixture.stopGateway()
            try await fixture.startGateway(Self.one)
            try await fixture.recorder.message(Self.roof) { $0.payload.isEmpty }
            try await fixture.until("the end of the former topics") {
                try await !fixture.retained().keys.contains { $0.hasPrefix("bluefleet/attic/") || $0 == Self.roof }
            }
        }
    }

    @Test func `a removed entity is marked as removed first, and left out then`() throws {
        try withFixture(Self.scenario) { fixture in
            try await fixture.recorder.next(Self.cellar)
            try await fixture.stopGateway()
            try await fixture.startGateway(Self.one)
            try await fixture.recorder.next(Self.cellar) { $0["components"]?["2a6f"] == ["platform": "sensor"] }
            try await fixture.recorder.next(Self.cellar) { $0["components"]?["2a6f"] == nil }
        }
    }

    @Test func `an entity that changes its platform is removed first`() throws {
        let one = Self.one.replacingAll("{subscribe: true}}", with: "{subscribe: true}, light: {KEYS}}")
            .replacingAll(
                "KEYS", with: "uuid: 7e400002-b5a3-f393-e0a9-e50e24dcca9e, format: [{name: on, type: boolean}], KEYS")
        let light = "7e400002-b5a3-f393-e0a9-e50e24dcca9e"
        let shown = one.replacingAll("KEYS", with: "subscribe: true")
        let scenario = Scenario(fleet: "", shown).with {
            $0.hasBus = false
            $0.hasBluetoothd = false
            $0.homeAssistant = "discovery: device"
        }
        try withFixture(scenario) { fixture in
            try await fixture.recorder.next(Self.cellar) { $0["components"]?[light]?["state_topic"] != nil }
            let written = try fixture.configuration(one.replacingAll("KEYS", with: "subscribe: true, write: true"))
            await fixture.reload(written)
            try await fixture.recorder.next(Self.cellar) { $0["components"]?[light] == ["platform": "binary_sensor"] }
            try await fixture.recorder.next(Self.cellar) { $0["components"]?[light]?["platform"] == "switch" }
        }
    }

    /// Home Assistant logs a warning for an empty message on the former topic of an entity that it has found on another topic.
    @Test func `entities migrate when the form of the discovery changes`() throws {
        try withFixture(Self.scenario) { fixture in
            try await fixture.recorder.next(Self.roof)
            let component = "homeassistant/sensor/bluefleet_c00000000001/2a6f/config"
            for (form, former, topic) in [("component", Self.cellar, component), ("device", component, Self.cellar)] {
                let configuration = try fixture.configuration(Self.both, homeAssistant: "discovery: \(form)")
                await fixture.reload(configuration)
                try await fixture.recorder.next(former) { $0 == ["migrate_discovery": true] }
                try await fixture.recorder.message(former) { $0.payload.isEmpty }
                try await fixture.recorder.next(topic) { $0["device"] != nil }
                let messages = fixture.recorder.messages.map { (topic: "\($0.topic)", isEmpty: $0.payload.isEmpty) }
                let cleared = messages.lastIndex { $0 == (former, true) } ?? .max
                #expect(cleared < messages.lastIndex { $0 == (topic, false) } ?? 0)
                #expect(try await fixture.retained()[former] == nil)
            }
        }
    }
}

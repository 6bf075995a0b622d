import EventLoop
import JSON
import MQTT
import Simulator
import TestTraits
import Testing

@testable import Bridge

/// The retained topics and the events from the start to the stop.
@Suite(.ownThreads) struct LifeTests {
    private func states(_ topic: String, _ fixture: Fixture) -> [String] {
        fixture.recorder.all("bluefleet/\(topic)").map { $0.json?["state"]?.string ?? "?" }
    }

    @Test func `connection: a device passes through all states from the start to the stop`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.connection(of: "climate", "connected")
            try await fixture.direct { try $0.dropLink(of: "climate") }
            try await fixture.connection(of: "climate", "disconnected")
            try await fixture.connection(of: "climate", "connected")
            try await fixture.stopGateway()
            // The first states are published only if the broker is connected before Bluetooth is available.
            let life = Array(states("climate/connection", fixture).drop { $0 == "disconnected" })
            let toLink = ["waiting", "connecting", "discovering", "connected"]
            #expect(life == toLink + ["disconnected"] + toLink + ["disconnecting", "disconnected"])
        }
    }

    @Test(arguments: [false, true])
    func `a loss carries the reason that bluetoothd reports before or after it`(isReasonFirst: Bool) throws {
        let scenario = Scenario.climate("connect: always").with { $0.fleet = "bluetoothd: \"5.86\"\n" + $0.fleet }
        try withFixture(scenario) { fixture in
            try await fixture.connection(of: "climate", "connected")
            if isReasonFirst { try await fixture.plan(.reasonFirst, for: "climate") }
            try await fixture.direct { try $0.dropLink(of: "climate") }
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "device_disconnected"
            }
            #expect(event["reason"] == "the link was lost: the device ended the connection")
            try await fixture.recorder.next("bluefleet/climate/connection") {
                $0["state"] == "waiting" && $0["reason"] == "the link was lost: the device ended the connection"
            }
            try await fixture.connection(of: "climate", "connected")
        }
    }

    @Test func `connection: a connected device reports adapter, signal strength and MTU`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            let connected = try await fixture.connection(of: "climate", "connected")
            #expect(connected.withoutTime == #"{"state":"connected","adapter":"hci0","rssi":-61,"mtu":247}"#)
            #expect(connected["time"]?.string?.hasSuffix("Z") == true)
        }
    }

    @Test func `connection: a failing device reports the reason and the number of attempts`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.connection(of: "climate", "connected")
            try await fixture.direct { scene in
                try scene.failConnects(
                    of: "climate", times: 1000, error: "org.bluez.Error.Failed", message: "le-connection-abort-by-local"
                )
                try scene.dropLink(of: "climate")
            }
            // On a busy machine, the link is lost before the first values, which counts as a failure too.
            let failed = try await fixture.recorder.next("bluefleet/climate/connection") {
                $0["reason"]?.string?.contains("le-connection-abort-by-local") == true
            }
            #expect(failed["state"] == "waiting")
            #expect(failed["attempts"] == 1 || failed["attempts"] == 2)
            let offline = try await fixture.availability(of: "climate", "offline")
            #expect(offline["reason"]?.string?.isEmpty == false)
        }
    }

    @Test func `availability: a periodic device without values becomes and stays stale`() throws {
        try withFixture(.climate("connect: every 50ms\nuntil: [humidity]\nwithin: 300ms")) { fixture in
            let stale = try await fixture.availability(of: "climate", "stale")
            #expect(stale["reason"] == "some values are missing")
            let before = states("climate/availability", fixture).count
            let sessions = try await fixture.events(of: "climate").count { $0 == "connected" }
            try await fixture.event("connected", of: "climate", times: sessions + 2)
            let after = states("climate/availability", fixture).dropFirst(before)
            #expect(!after.contains("online") && !after.contains("asleep"))
        }
    }

    @Test func `availability: a device that is quiet is asleep until it is connected again`() throws {
        try withFixture(.climate("connect: always\nquiet: 60ms")) { fixture in
            try await fixture.availability(of: "climate", "asleep")
            try await fixture.connection(of: "climate", "connected")
            try await fixture.connection(of: "climate", "connected")
            try await fixture.availability(of: "climate", "online")
            let topics: Set = ["bluefleet/climate/connection", "bluefleet/climate/availability"]
            let told = fixture.recorder.messages.filter { topics.contains("\($0.topic)") }
            let states = told.compactMap { $0.json?["state"]?.string }
            let rest = states.drop { $0 != "asleep" }.prefix { $0 != "connected" }
            #expect(rest.contains("waiting"))
            #expect(!rest.contains("online") && !rest.contains("offline"))
        }
    }

    @Test func `connection: an absent device waits`() throws {
        let scenario = Scenario.climate("connect: always").with {
            $0.fleet.replace("advertise: {rssi: -61, every: 5ms}", with: "advertise: {on: false}")
        }
        try withFixture(scenario) { fixture in
            try await fixture.connection(of: "climate", "waiting")
            let offline = try await fixture.availability(of: "climate", "offline")
            #expect(offline["reason"]?.string?.isEmpty == false)
            try await fixture.direct { try $0.switchAdvertising(of: "climate", on: true) }
            try await fixture.availability(of: "climate", "online")
        }
    }

    @Test func `the gateway publishes online, its information, and offline at the stop`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            var retained = try await fixture.retained()
            #expect(retained["bluefleet/bridge/attic/state"] == #"{"state":"online"}"#)
            let info = try JSON(parsing: retained["bluefleet/bridge/attic/info"] ?? "")
            #expect(info["version"] == "1.0")
            #expect(info["started"]?.string?.hasSuffix("Z") == true)
            #expect(info["devices"] == 1)
            #expect(info["bluez"] == "5.66")
            #expect(info["adapters"]?[0]?["name"] == "hci0")
            #expect(info["adapters"]?[0]?["address"] == "00:00:5E:00:53:01")
            #expect(info["adapters"]?[0]?["powered"] == true)
            let health = try JSON(parsing: retained["bluefleet/bridge/attic/health"] ?? "")
            #expect(try #require(health["memory"]?.int) > 0)
            try await fixture.stopGateway()
            retained = try await fixture.retained()
            #expect(retained["bluefleet/bridge/attic/state"] == #"{"state":"offline"}"#)
            // The end of the connection to the bus is not a failure of Bluetooth.
            let last = try JSON(parsing: retained["bluefleet/bridge/attic/info"] ?? "")
            #expect(last["bluetooth"] == "poweredOn")
        }
    }

    @Test func `a clean stop cancels all subscriptions, then all connections`() throws {
        let scenario = Scenario.house(
            "climate:\n  address: C0:00:00:00:00:01\n" + Scenario.climate.indented(by: 2) + "\n" + Scenario.relay)
        try withFixture(scenario) { fixture in
            try await fixture.request("relay/state/get")
            _ = try await fixture.reading("climate/battery")
            try await fixture.event("subscribed 2A6F", of: "climate")
            try await fixture.stopGateway()
            for name in ["climate", "relay"] {
                let isConnected = try await fixture.direct { try $0.isConnected(name) }
                #expect(!isConnected)
            }
            let events = try await fixture.events(of: "climate")
            #expect(Set(events.suffix(3)) == ["unsubscribed 2A6E", "unsubscribed 2A6F", "disconnected"])
            #expect(events.last == "disconnected")
            for device in ["climate", "relay"] {
                #expect(states("\(device)/connection", fixture).last == "disconnected")
                let availability = fixture.recorder.all("bluefleet/\(device)/availability").last?.json
                #expect(availability == ["state": "offline", "reason": "the gateway has stopped"])
            }
            #expect(fixture.recorder.messages.last?.topic == "bluefleet/bridge/attic/state")
        }
    }

    @Test func `a clean stop does not wait for a device that hangs`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.event("subscribed 2A6F", of: "climate")
            try await fixture.plan(.operationHangs, for: "climate")
            try fixture.ask("climate/battery/get")
            try await fixture.request("climate/request/rssi")
            try await fixture.stopGateway()
            #expect(try await fixture.events(of: "climate").last == "disconnected")
            #expect(try await fixture.response(to: "climate/battery/get")["error"]?["code"] == "failed")
        }
    }

    @Test func `a clean stop does not answer a flood of requests`() throws {
        let scenario = Scenario.climate("connect: always").with { scenario in
            scenario.fleet.replace("disconnect: 10ms", with: "disconnect: 1s")
        }
        try withFixture(scenario) { fixture in
            try await fixture.event("subscribed 2A6F", of: "climate")
            async let stop: Void = fixture.stopGateway()
            try await fixture.recorder.next("bluefleet/climate/availability") {
                $0["reason"] == "the gateway has stopped"
            }
            // Each answer takes milliseconds, so that all answers together take longer than the device's disconnection.
            let payload = Array(#"{"text": "\#(String(repeating: "x", count: 45_000))"}"#.utf8)
            for _ in 1...500 { fixture.publish(Message("bluefleet/bridge/attic/request/nonsense", payload)) }
            try await stop
            let responses = fixture.recorder.all("bluefleet/bridge/attic/response/nonsense")
            #expect(responses.count <= LastRequests.limit / payload.count)
        }
    }

    @Test func `LastRequests admits requests until their sizes reach the limit`() {
        var requests = LastRequests()
        let isAdmitted = requests.admit(LastRequests.limit * 2)
        #expect(isAdmitted)
        requests.begin()
        let admitted = (1...1_000).count { _ in requests.admit(LastRequests.limit / 10) }
        #expect(admitted == 9)
        let isSmallOneAdmitted = requests.admit(0)
        #expect(!isSmallOneAdmitted)
    }

    @Test func `a clean stop does not wait for a bluetoothd that hangs, and repairs nothing`() throws {
        try withFixture(.climate("connect: always").with { $0.disconnectTime = .milliseconds(50) }) { fixture in
            try await fixture.event("subscribed 2A6F", of: "climate")
            try await fixture.plan(.disconnectHangs, for: "climate")
            try await fixture.stopGateway()
            #expect(try await fixture.direct { try $0.isConnected("climate") })
            #expect(fixture.recorder.all("bluefleet/climate/availability").last?.json?["state"] == "offline")
        }
    }

    @Test func `a connection without attributes is ended and made again`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.event("subscribed 2A6F", of: "climate")
            _ = try await fixture.reading("climate/battery")
            try await fixture.plan(.attributesLost, times: 1, for: "climate")
            let response = try await fixture.request("climate/battery/get")
            #expect(response["error"]?["code"] == "failed")
            #expect(response["error"]?["message"]?.string?.contains("without attributes") == true)
            let end = try await fixture.connection(of: "climate", "disconnecting")
            #expect(end["reason"]?.string?.contains("without attributes") == true)
            try await fixture.connection(of: "climate", "connected")
        }
    }

    @Test func `events report each connection and its end`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            var event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "device_connected"
            }
            #expect(event["device"] == "climate")
            #expect(event["time"]?.string?.hasSuffix("Z") == true)
            try await fixture.direct { try $0.dropLink(of: "climate") }
            event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "device_disconnected"
            }
            #expect(event["device"] == "climate")
            #expect(event["reason"] == "the link was lost")
            #expect(try await fixture.retained()["bluefleet/bridge/attic/event"] == nil)
        }
    }

    @Test func `info lists the configuration, and the device's abilities after the discovery`() throws {
        try withFixture(.house(Scenario.relay)) { fixture in
            let configured = try await fixture.recorder.next("bluefleet/relay/info")
            #expect(configured["address"] == "C0:00:00:00:00:05")
            let output = configured["characteristics"]?["output"]
            #expect(output?["uuid"]?.string == Scenario.output)
            #expect(output?["service"]?.string == Scenario.service)
            #expect(output?["write"] == true)
            #expect(output?["subscribe"] == false)
            #expect(output?["fields"]?.description == #"[{"name":"channel"},{"name":"level","unit":"%"}]"#)
            #expect(configured["characteristics"]?["state"]?["write"] == false)
            try await fixture.request("relay/request/connect")
            let found = try await fixture.recorder.next("bluefleet/relay/info") {
                $0["characteristics"]?["output"]?["flags"] != nil
            }["characteristics"]
            #expect(found?["output"]?["flags"] == ["read", "write-without-response", "write"])
            #expect(found?["output"]?["read"] == true)
            #expect(found?["output"]?["subscribe"] == false)
            #expect(found?["state"]?["subscribe"] == true)
            #expect(found?["state"]?["write"] == false)
            #expect(found?["secret"]?["write"] == false)
        }
    }

    @Test func `info and Home Assistant receive the identity of a device`() throws {
        let scenario = Scenario.house(
            """
            climate:
              address: C0:00:00:00:00:01
              characteristics: {maker: {service: 180A, uuid: 2A29, read: on connect}}
            """
        ).with {
            $0.fleet.replace(
                "- uuid: 180F",
                with: "- uuid: 180A\n        characteristics: [{uuid: 2A29, flags: [read], value: Example}]\n"
                    + "      - uuid: 180F")
            $0.homeAssistant = "discovery: device"
        }
        try withFixture(scenario) { fixture in
            try await fixture.recorder.next("bluefleet/climate/info") { $0["manufacturer"] == "Example" }
            let topic = "homeassistant/device/bluefleet_c00000000001/config"
            try await fixture.recorder.next(topic) { $0["device"]?["manufacturer"] == "Example" }
        }
    }

    @Test func `a device that is removed from the configuration leaves no retained topic`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.connection(of: "climate", "connected")
            let infoCount = fixture.recorder.all("bluefleet/bridge/attic/info").count
            await fixture.reload(try fixture.configuration("devices:\n" + Scenario.relay.indented(by: 2)))
            #expect(try await fixture.events(of: "climate").last == "disconnected")
            // The gateway publishes this after it has subscribed to the requests.
            try await fixture.until("info") { fixture.recorder.all("bluefleet/bridge/attic/info").count > infoCount }
            #expect(try await fixture.request("relay/state/get")["status"] == "ok")
            let retained = try await fixture.retained()
            #expect(!retained.keys.contains { $0.hasPrefix("bluefleet/climate") })
            #expect(retained["bluefleet/relay/info"] != nil)
        }
    }
}

import Bridge
import EventLoop
import JSON
import MQTT
import Simulator
import Testing

/// What the retained topics tell over a whole life (contract, part 3).
@Suite struct LifeTests {
    private func states(_ topic: String, _ stage: Stage) -> [String] {
        stage.record.all("bluefleet/\(topic)").map { $0.json?["state"]?.string ?? "?" }
    }

    @Test func `the connection of a device that is always connected, from the start to the end`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.connection(of: "climate", "connected")
            try await stage.direct { try $0.dropLink(of: "climate") }
            try await stage.connection(of: "climate", "disconnected")
            try await stage.connection(of: "climate", "connected")
            try await stage.stopGateway()
            // How it begins is told only where the broker is there before Bluetooth is.
            let life = Array(states("climate/connection", stage).drop { $0 == "disconnected" })
            let toLink = ["waiting", "connecting", "discovering", "connected"]
            #expect(life == toLink + ["disconnected"] + toLink + ["disconnecting", "disconnected"])
        }
    }

    @Test func `why a link was lost is told where bluetoothd tells it`() throws {
        let script = Script.climate("connect: always").with { $0.fleet = "bluetoothd: \"5.86\"\n" + $0.fleet }
        try onStage(script) { _, stage in
            try await stage.connection(of: "climate", "connected")
            try await stage.direct { try $0.dropLink(of: "climate") }
            let event = try await stage.record.next("bluefleet/bridge/attic/event") {
                $0["type"] == "device_disconnected"
            }
            #expect(event["reason"] == "the link was lost: the device ended it")
            try await stage.record.next("bluefleet/climate/connection") {
                $0["state"] == "waiting" && $0["reason"] == "the link was lost: the device ended it"
            }
            try await stage.connection(of: "climate", "connected")
        }
    }

    @Test func `what is known of a link that is up`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            let connected = try await stage.connection(of: "climate", "connected")
            #expect(connected.withoutTime == #"{"state":"connected","adapter":"hci0","rssi":-61,"mtu":247}"#)
            #expect(connected["time"]?.string?.hasSuffix("Z") == true)
        }
    }

    @Test func `a device that cannot be connected to: why, and how often it was tried`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.connection(of: "climate", "connected")
            try await stage.direct { scene in
                try scene.failConnects(
                    of: "climate", times: 1000, error: "org.bluez.Error.Failed", message: "le-connection-abort-by-local"
                )
                try scene.dropLink(of: "climate")
            }
            let failed = try await stage.record.next("bluefleet/climate/connection") { $0["attempts"] == 1 }
            #expect(failed["state"] == "waiting")
            #expect(failed["reason"]?.string?.contains("le-connection-abort-by-local") == true)
            let offline = try await stage.availability(of: "climate", "offline")
            #expect(offline["reason"]?.string?.isEmpty == false)
        }
    }

    @Test func `a periodic device whose values never come gets stale, and each session leaves it so`() throws {
        try onStage(.climate("connect: every 50ms\nuntil: [humidity]\nwithin: 300ms")) { _, stage in
            let stale = try await stage.availability(of: "climate", "stale")
            #expect(stale["reason"] == "not all of its values came")
            let before = states("climate/availability", stage).count
            let sessions = try await stage.events(of: "climate").count { $0 == "connected" }
            try await stage.event("connected", of: "climate", times: sessions + 2)
            let after = states("climate/availability", stage).dropFirst(before)
            #expect(!after.contains("online") && !after.contains("asleep"))
        }
    }

    @Test func `a device that has rested is asleep until it is connected again`() throws {
        try onStage(.climate("connect: always\nquiet: 60ms")) { _, stage in
            try await stage.availability(of: "climate", "asleep")
            try await stage.connection(of: "climate", "connected")
            try await stage.connection(of: "climate", "connected")
            try await stage.availability(of: "climate", "online")
            let topics: Set = ["bluefleet/climate/connection", "bluefleet/climate/availability"]
            let told = stage.record.messages.filter { topics.contains("\($0.topic)") }
            let states = told.compactMap { $0.json?["state"]?.string }
            let rest = states.drop { $0 != "asleep" }.prefix { $0 != "connected" }
            #expect(rest.contains("waiting"))
            #expect(!rest.contains("online") && !rest.contains("offline"))
        }
    }

    @Test func `a device that is not there is waited for`() throws {
        let script = Script.climate("connect: always").with {
            $0.fleet.replace("advertise: {rssi: -61, every: 5ms}", with: "advertise: {on: false}")
        }
        try onStage(script) { _, stage in
            try await stage.connection(of: "climate", "waiting")
            let offline = try await stage.availability(of: "climate", "offline")
            #expect(offline["reason"]?.string?.isEmpty == false)
            try await stage.direct { try $0.switchAdvertising(of: "climate", on: true) }
            try await stage.availability(of: "climate", "online")
        }
    }

    @Test func `the gateway: online, its description, and offline at the end`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            var retained = try await stage.retained()
            #expect(retained["bluefleet/bridge/attic/state"] == #"{"state":"online"}"#)
            let info = try JSON(parsing: retained["bluefleet/bridge/attic/info"] ?? "")
            #expect(info["version"] == "1.0")
            #expect(info["started"]?.string?.hasSuffix("Z") == true)
            #expect(info["devices"] == 1)
            #expect(info["adapters"]?[0]?["name"] == "hci0")
            #expect(info["adapters"]?[0]?["address"] == "00:00:5E:00:53:01")
            #expect(info["adapters"]?[0]?["powered"] == true)
            let health = try JSON(parsing: retained["bluefleet/bridge/attic/health"] ?? "")
            #expect(try #require(health["memory"]?.int) > 0)
            try await stage.stopGateway()
            retained = try await stage.retained()
            #expect(retained["bluefleet/bridge/attic/state"] == #"{"state":"offline"}"#)
        }
    }

    @Test func `a clean stop cancels subscriptions, then links, and leaves none behind`() throws {
        let script = Script.house(
            "climate:\n  address: C0:00:00:00:00:01\n" + Script.climate.indented(by: 2) + "\n" + Script.relay)
        try onStage(script) { _, stage in
            try await stage.request("relay/state/get")
            _ = try await stage.reading("climate/battery")
            try await stage.event("subscribed 2A6F", of: "climate")
            try await stage.stopGateway()
            for name in ["climate", "relay"] {
                let isConnected = try await stage.direct { try $0.isConnected(name) }
                #expect(!isConnected)
            }
            let events = try await stage.events(of: "climate")
            #expect(Set(events.suffix(3)) == ["unsubscribed 2A6E", "unsubscribed 2A6F", "disconnected"])
            #expect(events.last == "disconnected")
            for device in ["climate", "relay"] {
                #expect(states("\(device)/connection", stage).last == "disconnected")
                let availability = stage.record.all("bluefleet/\(device)/availability").last?.json
                #expect(availability == ["state": "offline", "reason": "the gateway has stopped"])
            }
            #expect(stage.record.messages.last?.topic == "bluefleet/bridge/attic/state")
        }
    }

    @Test func `a clean stop does not wait for a device that hangs`() throws {
        try onStage(.climate("connect: always")) { home, stage in
            try await stage.event("subscribed 2A6F", of: "climate")
            try await stage.plan(.operationHangs, for: "climate")
            try stage.ask("climate/battery/get")
            try await stage.request("climate/request/rssi")
            try await stage.stopGateway()
            #expect(try await stage.events(of: "climate").last == "disconnected")
            #expect(try await stage.response(to: "climate/battery/get")["error"]?["code"] == "failed")
        }
    }

    @Test func `a clean stop does not wait for a bluetoothd that hangs, and repairs nothing`() throws {
        try onStage(.climate("connect: always").with { $0.farewell = .milliseconds(50) }) { _, stage in
            try await stage.event("subscribed 2A6F", of: "climate")
            try await stage.plan(.disconnectHangs, for: "climate")
            try await stage.stopGateway()
            #expect(try await stage.direct { try $0.isConnected("climate") })
            #expect(stage.record.all("bluefleet/climate/availability").last?.json?["state"] == "offline")
        }
    }

    @Test func `a link without attributes is ended, and made anew`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.event("subscribed 2A6F", of: "climate")
            _ = try await stage.reading("climate/battery")
            try await stage.plan(.attributesLost, times: 1, for: "climate")
            let response = try await stage.request("climate/battery/get")
            #expect(response["error"]?["code"] == "failed")
            #expect(response["error"]?["message"]?.string?.contains("not for attributes") == true)
            let end = try await stage.connection(of: "climate", "disconnecting")
            #expect(end["reason"]?.string?.contains("not for attributes") == true)
            try await stage.connection(of: "climate", "connected")
        }
    }

    @Test func `events tell when a device comes and goes`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            var event = try await stage.record.next("bluefleet/bridge/attic/event") { $0["type"] == "device_connected" }
            #expect(event["device"] == "climate")
            #expect(event["time"]?.string?.hasSuffix("Z") == true)
            try await stage.direct { try $0.dropLink(of: "climate") }
            event = try await stage.record.next("bluefleet/bridge/attic/event") { $0["type"] == "device_disconnected" }
            #expect(event["device"] == "climate")
            #expect(event["reason"] == "the link was lost")
            #expect(try await stage.retained()["bluefleet/bridge/attic/event"] == nil)
        }
    }

    @Test func `info tells what is configured, and after the discovery what the device can do`() throws {
        try onStage(.house(Script.relay)) { _, stage in
            let configured = try await stage.record.next("bluefleet/relay/info")
            #expect(configured["address"] == "C0:00:00:00:00:05")
            let output = configured["characteristics"]?["output"]
            #expect(output?["uuid"]?.string == Script.output)
            #expect(output?["service"]?.string == Script.service)
            #expect(output?["write"] == true)
            #expect(output?["subscribe"] == false)
            #expect(output?["fields"]?.description == #"[{"name":"channel"},{"name":"level","unit":"%"}]"#)
            #expect(configured["characteristics"]?["state"]?["write"] == false)
            try await stage.request("relay/request/connect")
            let found = try await stage.record.next("bluefleet/relay/info")["characteristics"]
            #expect(found?["output"]?["flags"] == ["read", "write-without-response", "write"])
            #expect(found?["output"]?["read"] == true)
            #expect(found?["output"]?["subscribe"] == false)
            #expect(found?["state"]?["subscribe"] == true)
            #expect(found?["state"]?["write"] == false)
            #expect(found?["secret"]?["write"] == false)
        }
    }

    @Test func `info and Home Assistant learn what a device says of itself`() throws {
        let script = Script.house(
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
        try onStage(script) { _, stage in
            try await stage.record.next("bluefleet/climate/info") { $0["manufacturer"] == "Example" }
            let topic = "homeassistant/device/bluefleet_c00000000001/config"
            try await stage.record.next(topic) { $0["device"]?["manufacturer"] == "Example" }
        }
    }

    @Test func `a device that is taken out of the configuration leaves nothing behind`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.connection(of: "climate", "connected")
            let infoCount = stage.record.all("bluefleet/bridge/attic/info").count
            await stage.gateway?.reload(try stage.configuration("devices:\n" + Script.relay.indented(by: 2)))
            #expect(try await stage.events(of: "climate").last == "disconnected")
            // The gateway publishes it after it has subscribed to the requests.
            try await stage.until("info") { stage.record.all("bluefleet/bridge/attic/info").count > infoCount }
            #expect(try await stage.request("relay/state/get")["status"] == "ok")
            let retained = try await stage.retained()
            #expect(!retained.keys.contains { $0.hasPrefix("bluefleet/climate") })
            #expect(retained["bluefleet/relay/info"] != nil)
        }
    }
}

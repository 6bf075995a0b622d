import EventLoop
import JSON
import Simulator
import TestTraits
import Testing

/// Peripherals whose services change while they are connected.
@Suite(.ownThreads) struct ServiceChangeTests {
    @Test(arguments: ["", "faults: [services change slowly]"])
    func `changed services are discovered and subscribed to again`(fault: String) throws {
        let scenario = Scenario.climate("connect: always").beating().with {
            $0.fleet.replace("mtu: 247", with: "mtu: 247\n    \(fault)")
        }
        try withFixture(scenario) { fixture in
            for uuid in ["2A6E", "2A6F"] { try await fixture.event("subscribed \(uuid)", of: "climate") }
            _ = try await fixture.reading("climate/temperature")
            try await fixture.connection(of: "climate", "connected")
            try await fixture.direct { try $0.changeAttributes(of: "climate") }
            try await fixture.connection(of: "climate", "discovering")
            try await fixture.recorder.next("bluefleet/bridge/attic/event") { $0["type"] == "services_changed" }
            try await fixture.connection(of: "climate", "connected")
            try await fixture.event("subscribed 2A6E", of: "climate", times: 2)
            try await fixture.event("subscribed 2A6F", of: "climate", times: 2)
            try await fixture.notify("d204", from: "2A6E", of: "climate")
            try await fixture.recorder.next("bluefleet/climate/temperature") { $0["value"]?.description == "12.34" }
            // The connection is still the same, and no end of it was published.
            let events = try await fixture.events(of: "climate")
            #expect(events.count { $0 == "connected" } == 1)
            #expect(events.count { $0 == "subscribed 2A6E" } == 2)
            let types = fixture.recorder.all("bluefleet/bridge/attic/event").compactMap { $0.json?["type"]?.string }
            #expect(types.filter { $0.hasPrefix("device_") } == ["device_connected"])
        }
    }

    @Test func `a removed adapter, whose services are removed before it, is no change of services`() throws {
        try withFixture(Scenario.climate("connect: always")) { fixture in
            try await fixture.event("subscribed 2A6F", of: "climate")
            try await fixture.connection(of: "climate", "connected")
            try await fixture.direct { try $0.remove("hci0") }
            try await fixture.recorder.next("bluefleet/bridge/attic/event") { $0["type"] == "device_disconnected" }
            let types = fixture.recorder.all("bluefleet/bridge/attic/event").compactMap { $0.json?["type"]?.string }
            #expect(!types.contains("services_changed"))
        }
    }

    @Test(arguments: ["", "faults: [services change slowly]"])
    func `services may change again during the discovery`(fault: String) throws {
        let scenario = Scenario.climate("connect: always").beating().with {
            $0.fleet.replace("mtu: 247", with: "mtu: 247\n    \(fault)")
        }
        try withFixture(scenario) { fixture in
            try await fixture.event("subscribed 2A6F", of: "climate")
            try await fixture.direct { try $0.changeAttributes(of: "climate") }
            try await fixture.connection(of: "climate", "discovering")
            for _ in 0..<3 { try await fixture.direct { try $0.changeAttributes(of: "climate") } }
            try await fixture.event("subscribed 2A6E", of: "climate", times: 2)
            try await fixture.connection(of: "climate", "connected")
            try await fixture.notify("d204", from: "2A6E", of: "climate")
            try await fixture.recorder.next("bluefleet/climate/temperature") { $0["value"]?.description == "12.34" }
            #expect(try await fixture.events(of: "climate").count { $0 == "connected" } == 1)
        }
    }

    @Test func `services may change while the formats are read`() throws {
        let scenario = Scenario.house(
            """
            relay:
              address: C0:00:00:00:00:05
              characteristics:
                state: {service: \(Scenario.service), uuid: \(Scenario.state), subscribe: true}
                secret: {service: \(Scenario.service), uuid: \(Scenario.secret), read: on connect}
            """
        ).with { $0.fleet.replace("read: 1ms", with: "read: 300ms") }
        try withFixture(scenario) { fixture in
            // The first descriptor that is read is the description of the secret.
            try await fixture.until("a request") { try await fixture.direct { try $0.isBusy("relay") } }
            try await fixture.direct { try $0.changeAttributes(of: "relay") }
            try await fixture.event("subscribed \(Scenario.state)", of: "relay")
            #expect(try await fixture.reading("relay/secret") == #"{"value":"2a"}"#)
            #expect(try await fixture.events(of: "relay").count { $0 == "connected" } == 1)
        }
    }

    @Test(arguments: ["", "faults: [services change slowly]"])
    func `a running read is answered by the new services`(fault: String) throws {
        let scenario = Scenario.house(Scenario.relay).with {
            $0.fleet.replace("read: 1ms", with: "read: 300ms")
            $0.fleet.replace("address: C0:00:00:00:00:05", with: "address: C0:00:00:00:00:05\n    \(fault)")
        }
        try withFixture(scenario) { fixture in
            try await fixture.request("relay/request/connect")
            try fixture.ask("relay/request/read", #"{"characteristic": "secret"}"#)
            try await fixture.until("the read") { try await fixture.direct { try $0.isBusy("relay") } }
            try await fixture.direct { try $0.changeAttributes(of: "relay") }
            let response = try await fixture.response(to: "relay/request/read")
            #expect(response["status"] == "ok")
            #expect(response["data"]?["value"] == 42)
        }
    }

    @Test(arguments: ["", "faults: [services change slowly]"])
    func `a running inspection returns the new services`(fault: String) throws {
        let scenario = Scenario.house(Scenario.relay).with {
            $0.fleet.replace("read: 1ms", with: "read: 100ms")
            $0.fleet.replace("address: C0:00:00:00:00:05", with: "address: C0:00:00:00:00:05\n    \(fault)")
        }
        try withFixture(scenario) { fixture in
            try await fixture.request("relay/request/connect")
            try fixture.ask("bridge/attic/request/inspect", #"{"address": "C0:00:00:00:00:05"}"#)
            try await fixture.event("read \(Scenario.output)", of: "relay")
            try await fixture.direct { try $0.changeAttributes(of: "relay") }
            let response = try await fixture.response(to: "bridge/attic/request/inspect")
            #expect(response["status"] == "ok")
            let services = response["data"]?["services"]?.array ?? []
            let service = try #require(services.first { $0["uuid"]?.string == Scenario.service })
            let values = (service["characteristics"]?.array ?? []).map { $0["hex"] }
            #expect(values == ["0000", "00", "2a"])
        }
    }

    @Test func `an inspection of an unmanaged peripheral fails if its services change`() throws {
        let scenario = Scenario.house("climate: {address: C0:00:00:00:00:01}").with {
            $0.fleet.replace("read: 1ms", with: "read: 100ms")
        }
        try withFixture(scenario) { fixture in
            try fixture.ask("bridge/attic/request/inspect", #"{"address": "C0:00:00:00:00:05"}"#)
            try await fixture.event("read \(Scenario.output)", of: "relay")
            try await fixture.direct { try $0.changeAttributes(of: "relay") }
            let error = try await fixture.response(to: "bridge/attic/request/inspect")["error"]
            #expect(error?["code"] == "failed")
            #expect(error?["message"]?.string?.contains("services") == true)
            try await fixture.event("disconnected", of: "relay")
        }
    }

    @Test func `a running read that has expired is answered when the services change`() throws {
        let scenario = Scenario.house(Scenario.relay).with { $0.fleet.replace("read: 1ms", with: "read: 1h") }
        try withFixture(scenario) { fixture in
            try await fixture.request("relay/request/connect")
            try fixture.ask("relay/request/read", #"{"characteristic": "secret", "ttl": "10ms"}"#)
            // This request waits behind the other one and expires later.
            try fixture.ask("relay/state/get", #"{"ttl": "11ms"}"#)
            #expect(try await fixture.response(to: "relay/state/get")["error"]?["code"] == "expired")
            try await fixture.until("the read") { try await fixture.direct { try $0.isBusy("relay") } }
            #expect(fixture.recorder.all("bluefleet/relay/response/read").isEmpty)
            try await fixture.direct { try $0.changeAttributes(of: "relay") }
            #expect(try await fixture.response(to: "relay/request/read")["error"]?["code"] == "expired")
        }
    }

    @Test func `a periodic read continues after a loss`() throws {
        let scenario = Scenario.climate("connect: always").with { $0.fleet.replace("read: 1ms", with: "read: 300ms") }
        try withFixture(scenario) { fixture in
            try await fixture.connection(of: "climate", "connected")
            try await fixture.until("requests") { try await fixture.direct { try $0.isBusy("climate") } }
            try await fixture.direct { try $0.dropLink(of: "climate") }
            #expect(try await fixture.recorder.next("bluefleet/climate/battery")["value"] == 93)
        }
    }

    @Test func `a battery service that bluetoothd hides is read and subscribed to`() throws {
        let scenario = Scenario.climate("connect: always").with {
            $0.fleet.replace("mtu: 247", with: "mtu: 247\n    faults: [battery hidden]")
            $0.configuration.replace("read: 1h", with: "read: 1h, subscribe: true")
        }
        try withFixture(scenario) { fixture in
            #expect(try await fixture.recorder.next("bluefleet/climate/battery")["value"] == 93)
            try await fixture.connection(of: "climate", "connected")
            try await fixture.notify("50", from: "2A19", of: "climate")
            try await fixture.recorder.next("bluefleet/climate/battery") { $0["value"] == 80 }
            let types = fixture.recorder.all("bluefleet/bridge/attic/event").compactMap { $0.json?["type"]?.string }
            #expect(!types.contains("characteristic_missing"))
        }
    }

    @Test func `a subscription that bluetoothd drops is made again`() throws {
        let scenario = Scenario.climate("connect: always").beating().with {
            $0.fleet.replace("mtu: 247", with: "mtu: 247\n    faults: [{fault: subscription lost, times: 2}]")
        }
        try withFixture(scenario) { fixture in
            try await fixture.recorder.next("bluefleet/climate/temperature")
            try await fixture.recorder.next("bluefleet/climate/humidity")
            #expect(try await fixture.events(of: "climate").count { $0 == "connected" } == 1)
        }
    }
}

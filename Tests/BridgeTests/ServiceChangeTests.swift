import EventLoop
import JSON
import Simulator
import Testing

/// Peripherals whose services change in the middle of a link.
@Suite struct ServiceChangeTests {
    @Test(arguments: ["", "faults: [services change slowly]"])
    func `services that change are looked up again, subscribed again, and go on telling`(fault: String) throws {
        let script = Script.climate("connect: always").beating().with {
            $0.fleet.replace("mtu: 247", with: "mtu: 247\n    \(fault)")
        }
        try onStage(script) { _, stage in
            for uuid in ["2A6E", "2A6F"] { try await stage.event("subscribed \(uuid)", of: "climate") }
            _ = try await stage.reading("climate/temperature")
            try await stage.connection(of: "climate", "connected")
            try await stage.direct { try $0.changeAttributes(of: "climate") }
            try await stage.connection(of: "climate", "discovering")
            try await stage.record.next("bluefleet/bridge/attic/event") { $0["type"] == "services_changed" }
            try await stage.connection(of: "climate", "connected")
            try await stage.event("subscribed 2A6E", of: "climate", times: 2)
            try await stage.event("subscribed 2A6F", of: "climate", times: 2)
            try await stage.notify("d204", from: "2A6E", of: "climate")
            try await stage.record.next("bluefleet/climate/temperature") { $0["value"]?.description == "12.34" }
            // All on the same link, and nobody was told that it had gone.
            let events = try await stage.events(of: "climate")
            #expect(events.count { $0 == "connected" } == 1)
            #expect(events.count { $0 == "subscribed 2A6E" } == 2)
            let types = stage.record.all("bluefleet/bridge/attic/event").compactMap { $0.json?["type"]?.string }
            #expect(types.filter { $0.hasPrefix("device_") } == ["device_connected"])
        }
    }

    @Test(arguments: ["", "faults: [services change slowly]"])
    func `services that change again while they are looked up`(fault: String) throws {
        let script = Script.climate("connect: always").beating().with {
            $0.fleet.replace("mtu: 247", with: "mtu: 247\n    \(fault)")
        }
        try onStage(script) { _, stage in
            try await stage.event("subscribed 2A6F", of: "climate")
            try await stage.direct { try $0.changeAttributes(of: "climate") }
            try await stage.connection(of: "climate", "discovering")
            for _ in 0..<3 { try await stage.direct { try $0.changeAttributes(of: "climate") } }
            try await stage.event("subscribed 2A6E", of: "climate", times: 2)
            try await stage.connection(of: "climate", "connected")
            try await stage.notify("d204", from: "2A6E", of: "climate")
            try await stage.record.next("bluefleet/climate/temperature") { $0["value"]?.description == "12.34" }
            #expect(try await stage.events(of: "climate").count { $0 == "connected" } == 1)
        }
    }

    @Test func `services that change while the device says what its bytes mean`() throws {
        let script = Script.house(
            """
            relay:
              address: C0:00:00:00:00:05
              characteristics:
                state: {service: \(Script.service), uuid: \(Script.state), subscribe: true}
                secret: {service: \(Script.service), uuid: \(Script.secret), read: on connect}
            """
        ).with { $0.fleet.replace("read: 1ms", with: "read: 300ms") }
        try onStage(script) { _, stage in
            // The first that is read is what the device calls its secret.
            try await stage.until("a request") { try await stage.direct { try $0.isBusy("relay") } }
            try await stage.direct { try $0.changeAttributes(of: "relay") }
            try await stage.event("subscribed \(Script.state)", of: "relay")
            #expect(try await stage.reading("relay/secret") == #"{"value":"2a"}"#)
            #expect(try await stage.events(of: "relay").count { $0 == "connected" } == 1)
        }
    }

    @Test(arguments: ["", "faults: [services change slowly]"])
    func `a read that is under way is answered by the new services`(fault: String) throws {
        let script = Script.house(Script.relay).with {
            $0.fleet.replace("read: 1ms", with: "read: 300ms")
            $0.fleet.replace("address: C0:00:00:00:00:05", with: "address: C0:00:00:00:00:05\n    \(fault)")
        }
        try onStage(script) { _, stage in
            try await stage.request("relay/request/connect")
            try stage.ask("relay/request/read", #"{"characteristic": "secret"}"#)
            try await stage.until("the read") { try await stage.direct { try $0.isBusy("relay") } }
            try await stage.direct { try $0.changeAttributes(of: "relay") }
            let response = try await stage.response(to: "relay/request/read")
            #expect(response["status"] == "ok")
            #expect(response["data"]?["value"] == 42)
        }
    }

    @Test(arguments: ["", "faults: [services change slowly]"])
    func `an inspection that is under way tells of the new services`(fault: String) throws {
        let script = Script.house(Script.relay).with {
            $0.fleet.replace("read: 1ms", with: "read: 100ms")
            $0.fleet.replace("address: C0:00:00:00:00:05", with: "address: C0:00:00:00:00:05\n    \(fault)")
        }
        try onStage(script) { _, stage in
            try await stage.request("relay/request/connect")
            try stage.ask("bridge/attic/request/inspect", #"{"address": "C0:00:00:00:00:05"}"#)
            try await stage.event("read \(Script.output)", of: "relay")
            try await stage.direct { try $0.changeAttributes(of: "relay") }
            let response = try await stage.response(to: "bridge/attic/request/inspect")
            #expect(response["status"] == "ok")
            let services = response["data"]?["services"]?.array ?? []
            let service = try #require(services.first { $0["uuid"]?.string == Script.service })
            let values = (service["characteristics"]?.array ?? []).map { $0["hex"] }
            #expect(values == ["0000", "00", "2a"])
        }
    }

    @Test func `an inspection of a stranger whose services change says so, and tells nothing of the old ones`() throws {
        let script = Script.house("climate: {address: C0:00:00:00:00:01}").with {
            $0.fleet.replace("read: 1ms", with: "read: 100ms")
        }
        try onStage(script) { _, stage in
            try stage.ask("bridge/attic/request/inspect", #"{"address": "C0:00:00:00:00:05"}"#)
            try await stage.event("read \(Script.output)", of: "relay")
            try await stage.direct { try $0.changeAttributes(of: "relay") }
            let error = try await stage.response(to: "bridge/attic/request/inspect")["error"]
            #expect(error?["code"] == "failed")
            #expect(error?["message"]?.string?.contains("services") == true)
            try await stage.event("disconnected", of: "relay")
        }
    }

    @Test func `a read whose time ends while it is under way is answered when its services go`() throws {
        let script = Script.house(Script.relay).with { $0.fleet.replace("read: 1ms", with: "read: 1h") }
        try onStage(script) { _, stage in
            try await stage.request("relay/request/connect")
            try stage.ask("relay/request/read", #"{"characteristic": "secret", "ttl": "10ms"}"#)
            // It waits behind the other one, and its time ends later.
            try stage.ask("relay/state/get", #"{"ttl": "11ms"}"#)
            #expect(try await stage.response(to: "relay/state/get")["error"]?["code"] == "expired")
            try await stage.until("the read") { try await stage.direct { try $0.isBusy("relay") } }
            #expect(stage.record.all("bluefleet/relay/response/read").isEmpty)
            try await stage.direct { try $0.changeAttributes(of: "relay") }
            #expect(try await stage.response(to: "relay/request/read")["error"]?["code"] == "expired")
        }
    }

    @Test func `what is read from time to time is read after a lost link as well`() throws {
        let script = Script.climate("connect: always").with { $0.fleet.replace("read: 1ms", with: "read: 300ms") }
        try onStage(script) { _, stage in
            try await stage.connection(of: "climate", "connected")
            try await stage.until("requests") { try await stage.direct { try $0.isBusy("climate") } }
            try await stage.direct { try $0.dropLink(of: "climate") }
            #expect(try await stage.record.next("bluefleet/climate/battery")["value"] == 93)
        }
    }

    @Test func `a battery service that bluetoothd keeps to itself is read and subscribed to all the same`() throws {
        let script = Script.climate("connect: always").with {
            $0.fleet.replace("mtu: 247", with: "mtu: 247\n    faults: [battery hidden]")
            $0.configuration.replace("read: 1h", with: "read: 1h, subscribe: true")
        }
        try onStage(script) { _, stage in
            #expect(try await stage.record.next("bluefleet/climate/battery")["value"] == 93)
            try await stage.connection(of: "climate", "connected")
            try await stage.notify("50", from: "2A19", of: "climate")
            try await stage.record.next("bluefleet/climate/battery") { $0["value"] == 80 }
            let types = stage.record.all("bluefleet/bridge/attic/event").compactMap { $0.json?["type"]?.string }
            #expect(!types.contains("characteristic_missing"))
        }
    }

    @Test func `a subscription that bluetoothd forgets is made again`() throws {
        let script = Script.climate("connect: always").beating().with {
            $0.fleet.replace("mtu: 247", with: "mtu: 247\n    faults: [{fault: subscription lost, times: 2}]")
        }
        try onStage(script) { _, stage in
            try await stage.record.next("bluefleet/climate/temperature")
            try await stage.record.next("bluefleet/climate/humidity")
            #expect(try await stage.events(of: "climate").count { $0 == "connected" } == 1)
        }
    }
}

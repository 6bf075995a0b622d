import Bluetooth
import Configuration
import Contract
import Foundation
import JSON
import System
import TestSupport
import Testing

@testable import Dashboard

@Suite struct MetricsTests {
    private let start = PresentTime(Instant(nanoseconds: 0), Timestamp(milliseconds: 1_800_000_000_000))

    private var world: World {
        var world = World()
        let health =
            #"{"memory":14680064,"cpu_seconds":31.5,"notifications_per_second":2.1,"waiting":2,"waiting_bytes":310,"sent":8412,"received":3,"#
            + #""dropped":0,"superseded":0,"expired":0,"broker_connects":1,"clock_synchronized":true,"adapters":["#
            + #"{"name":"hci0","address":"B8:27:EB:12:34:56","connections":2,"waiting":1,"capacity":5,"advertisements":4711,"scanning_seconds":512,"#
            + #""connecting_seconds":7}"#
            + #"],"spool":"#
            + #"{"state":"idle","waiting":0,"bytes":0,"oldest":null,"dropped":0,"expired":0,"damaged":0,"written_bytes":0,"#
            + #""replayed":0},"devices":{"a \"b\"":{"last_seen":"2026-11-21T05:08:58.123Z","connects":2,"failures":"#
            + #"{"connection_lost":1,"connect_failed":2},"notifications":5,"decode_failures":1,"rssi":-74,"battery":87}},"#
            + #""time":"2026-11-21T05:09:00.123Z"}"#
        let adapters =
            #"{"adapters":[{"name":"hci0","address":"B8:27:EB:12:34:56","connections":2,"waiting":1,"capacity":5}],"#
            + #""time":"2026-11-21T05:09:00.123Z"}"#
        let list = DeviceList(
            devices: [("a \"b\"", 1, "climate"), ("off", 2, nil)].compactMap { name, number, profile in
                Address("C0:00:00:00:00:0\(number)").map {
                    DeviceList.Entry(
                        name: name, address: $0, source: .configuration, profile: profile, connect: "always",
                        options: nil)
                }
            }, removed: []
        ).json.description
        let info =
            #"{"version":"1.0.0","started":"2026-11-21T05:00:00.000Z","bluetooth":"poweredOn","reason":"hci0 is on","#
            + #""adapters":[{"name":"hci0","address":"B8:27:EB:12:34:56","powered":true}],"devices":2,"bluez":"5.82"}"#
        let messages = [
            ("bridge/attic/info", info), ("bridge/attic/state", #"{"state":"online"}"#), ("bridge/attic/devices", list),
            ("bridge/attic/health", health),
            ("bridge/attic/adapters", adapters), (#"a "b"/availability"#, #"{"state":"online"}"#),
            (#"a "b"/connection"#, #"{"state":"connected","adapter":"hci0","rssi":-61}"#),
            ("off/availability", #"{"state":"offline"}"#),
            ("off/temperature", #"{"value":1,"unit":"°C"}"#),
            (#"a "b"/temperature"#, #"{"value":21.53,"unit":"°C"}"#),
            (#"a "b"/humidity"#, #"{"value":48.1,"unit":"%"}"#),
            (#"a "b"/pressure"#, #"{"value":1013.25,"unit":"hPa"}"#), (#"a "b"/energy"#, #"{"value":2,"unit":"kWh"}"#),
            (#"a "b"/odd"#, #"{"value":3,"unit":"furlong"}"#), (#"a "b"/open"#, #"{"value":true}"#),
            (#"a "b"/mode"#, #"{"value":"warm"}"#),
        ]
        for (topic, payload) in messages {
            _ = world.receive(topic, Array(payload.utf8), isRetained: true, at: start)
        }
        return world
    }

    private func text(_ isOpen: Bool = false, after seconds: Int = 0, in world: World) -> String {
        var metrics = Metrics(world, .all, isOpenMetrics: isOpen)
        var own = Metrics.Own()
        own.version = "1.0"
        own.swift = "6.3"
        own.isConnected = true
        own.requests = [Metrics.Request(verb: "scan", code: "ok"): 3]
        return String(decoding: metrics.text(own, at: start.instant + .seconds(seconds)), as: UTF8.self)
    }

    @Test func `each sample has its labels and the base unit`() {
        let lines = Set(text(in: world).split(separator: "\n"))
        let device = #"gateway="attic",device="a \"b\"""#
        for line in [
            #"bluefleet_build_info{version="1.0",swift="6.3"} 1"#,
            #"bluefleet_gateway_info{gateway="attic",version="1.0.0",bluez="5.82"} 1"#,
            #"bluefleet_adapter_powered{gateway="attic",adapter="hci0"} 1"#,
            #"bluefleet_messages_waiting{gateway="attic"} 2"#,
            #"bluefleet_messages_waiting_bytes{gateway="attic"} 310"#, "bluefleet_broker_connected 1",
            #"bluefleet_requests_total{verb="scan",code="ok"} 3"#, #"bluefleet_gateway_up{gateway="attic"} 1"#,
            #"bluefleet_messages_sent_total{gateway="attic"} 8412"#,
            #"bluefleet_adapter_connections{gateway="attic",adapter="hci0"} 2"#,
            #"bluefleet_adapter_connections_capacity{gateway="attic",adapter="hci0"} 5"#,
            #"bluefleet_adapter_connections_waiting{gateway="attic",adapter="hci0"} 1"#,
            #"bluefleet_adapter_advertisements_total{gateway="attic",adapter="hci0"} 4711"#,
            #"bluefleet_adapter_scanning_seconds_total{gateway="attic",adapter="hci0"} 512"#,
            #"bluefleet_adapter_connecting_seconds_total{gateway="attic",adapter="hci0"} 7"#,
            #"bluefleet_devices{gateway="attic",state="online"} 1"#,
            #"bluefleet_devices{gateway="attic",state="offline"} 1"#,
            #"bluefleet_device_info{\#(device),address="C0:00:00:00:00:01",profile="climate",adapter="hci0"} 1"#,
            #"bluefleet_device_up{\#(device)} 1"#, #"bluefleet_device_up{gateway="attic",device="off"} 0"#,
            #"bluefleet_device_connected{\#(device)} 1"#, #"bluefleet_device_rssi_dbm{\#(device)} -61"#,
            #"bluefleet_device_battery_ratio{\#(device)} 0.87"#, #"bluefleet_device_link_failures_total{\#(device)} 3"#,
            #"bluefleet_temperature_celsius{\#(device),reading="temperature"} 21.53"#,
            #"bluefleet_humidity_ratio{\#(device),reading="humidity"} 0.481"#,
            #"bluefleet_pressure_pascals{\#(device),reading="pressure"} 101325.0"#,
            #"bluefleet_energy_joules{\#(device),reading="energy"} 7200000.0"#,
            #"bluefleet_reading{\#(device),reading="odd",unit="furlong"} 3"#,
            #"bluefleet_reading{\#(device),reading="open",unit=""} 1"#,
        ] {
            #expect(lines.contains(Substring(line)), "\(line)")
        }
        #expect(!lines.contains { $0.contains("warm") })
    }

    @Test func `values of a device that is away, or past their time, have no series`() {
        var world = world
        #expect(!text(in: world).contains(#"device="off",reading"#))
        let name = #"a "b"/temperature"#
        let payload = Array(#"{"value":5,"unit":"°C"}"#.utf8)
        _ = world.receive(name, payload, isRetained: false, expiry: .seconds(60), at: start)
        #expect(text(after: 59, in: world).contains(#"reading="temperature"} 5"#))
        #expect(!text(after: 60, in: world).contains(#"reading="temperature""#))
        _ = world.receive("bridge/attic/state", Array(#"{"state":"offline"}"#.utf8), isRetained: true, at: start)
        let offline = text(in: world)
        #expect(offline.contains(#"bluefleet_gateway_up{gateway="attic"} 0"#))
        #expect(!offline.contains("reading=") && !offline.contains("bluefleet_adapter"))
    }

    @Test func `the series of a removed device vanish`() {
        var world = world
        _ = world.receive(
            "bridge/attic/devices", Array(#"{"devices":[],"removed":[]}"#.utf8), isRetained: true, at: start)
        #expect(!text(in: world).contains("device="))
    }

    @Test func `two adapters with the same name have one series`() {
        var world = world
        let adapter = #"{"name":"hci0","address":"B8:27:EB:12:34:56","connections":2,"waiting":1,"capacity":5}"#
        let payload = #"{"adapters":[\#(adapter),\#(adapter)],"time":"2026-11-21T05:09:00.123Z"}"#
        _ = world.receive("bridge/attic/adapters", Array(payload.utf8), isRetained: true, at: start)
        let series = text(in: world).split(separator: "\n").filter { $0.hasPrefix("bluefleet_adapter_connections{") }
        #expect(series.count == 1)
    }

    @Test func `promtool accepts the metrics`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write(text(in: world), to: "metrics")
        let command = try Command("sh", ["-c", "promtool check metrics < \(file)"])
        let output = command.waitForOutput()
        #expect(command.wait() == .code(0), "\(output)")
        #expect(output.isEmpty)
    }

    @Test func `OpenMetrics has units, families without suffix, and an end`() {
        let text = text(true, in: world)
        #expect(
            text.contains("# TYPE bluefleet_temperature_celsius gauge\n# UNIT bluefleet_temperature_celsius celsius\n"))
        #expect(text.contains("# TYPE bluefleet_messages_sent counter\n"))
        #expect(text.contains("# TYPE bluefleet_build info\n"))
        #expect(text.hasSuffix("\n# EOF\n"))
        // The samples of a family are together.
        let families = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE") }
        #expect(Set(families).count == families.count)
    }
}

import Bluetooth
import Configuration
import Testing

@Suite struct TableTests {
    private static func sections(in section: Section) -> [Section] {
        [section] + section.rows.compactMap(\.section).flatMap(sections)
    }

    private static let rows = sections(in: Configuration.reference).flatMap(\.rows)

    @Test func `the table contains every key`() {
        let names = Set(Self.rows.map(\.name))
        #expect(
            names.isSuperset(of: [
                "gateway", "state_directory", "log", "mqtt", "url", "protocol", "prefix", "username", "password_file",
                "ca_file", "cert_file", "key_file", "qos", "home_assistant", "discovery", "bluetooth", "adapters",
                "connections", "profiles", "devices", "address", "profile", "connect", "until", "within", "hold",
                "quiet",
                "pair", "passkey_file", "characteristics", "service", "uuid", "subscribe", "read", "write", "format",
                "publish", "retain", "unit", "device_class", "name", "type", "endian", "scale", "offset", "unknown",
                "bits",
                "values", "length", "count", "when", "on_change", "deadband", "at_most_every", "at_least_every",
                "payload",
                "fleet", "match", "services", "manufacturer", "device",
            ]))
    }

    @Test func `every example in the table is valid`() throws {
        for row in Self.rows {
            let mistakes = Mistakes(in: row.name)
            row.check(try YAMLParser.parse(row.example), mistakes)
            #expect(mistakes.sorted.isEmpty)
            #expect(row.meaning.hasSuffix("."))
        }
    }

    @Test func `an empty file is a configuration of defaults`() throws {
        let configuration = try Configuration(yaml: "")
        #expect(!configuration.gateway.isEmpty)
        #expect(configuration.stateDirectory == "/var/lib/bluefleet")
        #expect(configuration.logLevel == .info)
        #expect(configuration.broker.nodes.first == .tcp(host: "localhost", port: 1883))
        #expect(configuration.broker.protocolVersion == .five)
        #expect(configuration.broker.prefix == "bluefleet")
        #expect(configuration.broker.qos == 1)
        #expect(configuration.homeAssistant.discovery == .device)
        #expect(configuration.homeAssistant.prefix == "homeassistant")
        #expect(configuration.bluetooth.addresses == nil)
        #expect(configuration.bluetooth.connections == .automatic)
        #expect(configuration.devices.isEmpty)
        #expect(configuration.fleet.isEmpty)
    }

    @Test func `a device with default settings stays connected`() throws {
        let yaml = "devices: {d: {address: C0:00:00:00:00:01, characteristics: {temperature: }}}"
        let device = try #require(try Configuration(yaml: yaml).devices.first)
        #expect(device.connect == .always)
        #expect(device.until == nil)
        #expect(device.within == .seconds(30))
        #expect(device.hold == .seconds(10))
        #expect(device.quiet == nil)
        #expect(!device.pair)
        let characteristic = try #require(device.characteristics.first)
        #expect(characteristic.uuid.description == "2A6E")
        #expect(characteristic.service == nil)
        #expect(!characteristic.subscribe)
        #expect(characteristic.read == nil)
        #expect(characteristic.write == nil)
        #expect(characteristic.retain)
        #expect(characteristic.qos == nil)
        #expect(!characteristic.publish.onChange)
    }
}

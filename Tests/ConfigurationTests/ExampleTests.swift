import Bluetooth
import Codec
import Configuration
import Testing

@Suite struct ExampleTests {
    let configuration: Configuration

    init() throws {
        configuration = try Configuration(yaml: Example.yaml)
    }

    private func device(_ name: String) throws -> Configuration.Device {
        try #require(configuration.devices.first { $0.name == name })
    }

    @Test func `the settings of the gateway are those of the file`() throws {
        #expect(configuration.gateway == "attic")
        #expect(configuration.stateDirectory == "/var/lib/bluefleet")
        #expect(configuration.logLevel == .info)
        let broker = configuration.broker
        #expect(broker.nodes.first == .tcp(host: "localhost", port: 1883))
        #expect(broker.protocolVersion == .five)
        #expect(broker.prefix == "bluefleet")
        #expect(broker.username == "bluefleet")
        #expect(broker.passwordFile?.path == "/etc/bluefleet/mqtt.password")
        #expect(broker.caFile == "/etc/ssl/certs/ca-certificates.crt")
        #expect(broker.certFile == nil)
        #expect(broker.keyFile == nil)
        #expect(broker.qos == 1)
        #expect(configuration.homeAssistant.discovery == .device)
        #expect(configuration.homeAssistant.prefix == "homeassistant")
        #expect(configuration.bluetooth.addresses?.map(\.description) == ["B8:27:EB:12:34:56"])
        #expect(configuration.bluetooth.connections == .automatic)
    }

    @Test func `devices keep the order of the file and their line numbers`() {
        #expect(configuration.devices.map(\.name) == ["greenhouse", "cellar/freezer", "relay", "ruuvi"])
        #expect(configuration.devices.map(\.address.description).last == "D0:00:00:00:00:04")
        #expect(configuration.lines == ["greenhouse": 31, "cellar/freezer": 34, "relay": 40, "ruuvi": 52])
    }

    @Test func `a device has the settings of its profile`() throws {
        let greenhouse = try device("greenhouse")
        #expect(greenhouse.connect == .always)
        #expect(greenhouse.until == nil)
        #expect(greenhouse.characteristics.map(\.name) == ["temperature", "humidity", "battery"])
        let humidity = greenhouse.characteristics[1]
        #expect(humidity.service == UUID("181A"))
        #expect(humidity.uuid == UUID("2A6F"))
        #expect(humidity.subscribe)
        #expect(humidity.read == nil)
        #expect(humidity.write == nil)
        #expect(humidity.format == nil)
        #expect(humidity.publish.deadband == 0.5)
        #expect(humidity.publish.atLeastEvery == .seconds(300))
        #expect(humidity.publish.payload == .json)
        #expect(humidity.retain)
        #expect(greenhouse.characteristics[2].read == .every(.seconds(3600)))
    }

    @Test func `a device's own keys override its profile's`() throws {
        let freezer = try device("cellar/freezer")
        #expect(freezer.connect == .every(.seconds(600)))
        #expect(freezer.until == ["temperature", "humidity"])
        #expect(freezer.within == .seconds(30))
        #expect(freezer.characteristics == (try device("greenhouse").characteristics))
    }

    @Test func `a device without a profile has its own format`() throws {
        let relay = try device("relay")
        #expect(relay.connect == .onDemand)
        #expect(relay.hold == .seconds(20))
        let output = try #require(relay.characteristics.first)
        #expect(output.service == UUID("6e400001-b5a3-f393-e0a9-e50e24dcca9e"))
        #expect(output.write == .withResponse)
        let fields = try #require(output.format).fields
        #expect(fields.map(\.name) == ["channel", "level"])
        var level = Number(.uint16, endian: .big)
        level.scale = 0.1
        #expect(fields.map(\.content) == [.number(Number(.uint8)), .number(level)])
        #expect(fields[1].unit == "%")
        #expect(try device("ruuvi").connect == .never)
        #expect(try device("ruuvi").characteristics.isEmpty)
    }

    @Test func `a fleet rule admits and names matching devices`() throws {
        let rule = try #require(configuration.fleet.first)
        let address = try #require(Address("C0:00:00:00:00:09"))
        var advertisement = Advertisement()
        advertisement.localName = "Sensor 9"
        #expect(rule.device(at: address, advertising: advertisement) == nil)
        advertisement.serviceUUIDs = [UUID(0x181A as UInt16)]
        let device = try #require(rule.device(at: address, advertising: advertisement))
        #expect(device.name == "sensors/C0:00:00:00:00:09")
        #expect(device.settings == (try self.device("greenhouse").settings))
        advertisement.localName = "Lamp"
        #expect(rule.device(at: address, advertising: advertisement) == nil)
    }
}

import Foundation
import TestSupport
import TestTraits
import Testing

@testable import bluefleet

@Suite(.ownThreads) struct InspectTests {
    @Test func `inspect shows services, characteristics and values with names, in 80 columns`() throws {
        let house = try SimulatedHouse()
        let inspect = try house.run("inspect", "C0:00:00:00:00:01")
        #expect(inspect.status == 0)
        #expect(inspect.error == "")
        #expect(inspect.lines.allSatisfy { $0.count < 80 })
        #expect(inspect.lines.first?.wholeMatch(of: /Climate  C0:00:00:00:00:01  -\d\d dBm/) != nil)
        #expect(inspect.lines.contains("environmental_sensing (181A)"))
        #expect(inspect.lines.contains("  temperature (2A6E)                    read, notify"))
        #expect(inspect.lines.contains { $0.wholeMatch(of: /\s{6}[\d.]+ °C/) != nil })
        #expect(inspect.lines.contains("      93 %"))
        #expect(try house.addresses().contains("C0:00:00:00:00:01"))
    }

    @Test func `long names and values are shown in 80 columns`() throws {
        let words = Array(repeating: "温度計", count: 30)
        let bytes = String(repeating: "0102030405", count: 30)
        let house = try SimulatedHouse(
            """
            peripherals:
              wordy:
                address: C0:00:00:00:00:01
                name: "\(words.prefix(20).joined())"
                services:
                  - uuid: 181A
                    characteristics:
                      - uuid: temperature
                        flags: [read]
                        value: 21
                        descriptors: [{uuid: 2901, text: "\(words.joined(separator: " "))"}]
                      - {uuid: 5f6d0002-7a2c-4d0e-9c3b-1e0f6a5b4c3d, flags: [read], hex: "\(bytes)"}
            """)
        let inspect = try house.run("inspect", "C0:00:00:00:00:01")
        #expect(inspect.lines.count > 10)
        #expect(inspect.lines.allSatisfy { $0.columns < 80 }, "\(inspect.output)")
        #expect(try house.scan(until: 1).lines.allSatisfy { $0.columns < 80 })
    }

    @Test func `--json prints the device as JSON`() throws {
        let inspect = try SimulatedHouse().run("inspect", "C0:00:00:00:00:01", "--json")
        let result = try #require(try JSONSerialization.jsonObject(with: Data(inspect.output.utf8)) as? [String: Any])
        let services = try #require(result["services"] as? [[String: Any]])
        let battery = try #require(services.first { $0["uuid"] as? String == "180F" })
        let level = try #require((battery["characteristics"] as? [[String: Any]])?.first)
        #expect(level["name"] as? String == "battery_level")
        #expect((level["reading"] as? [String: Any])?["value"] as? Int == 93)
    }

    @Test(arguments: ["C0:00:00:00:00:01", "C0:00:00:00:00:02", "C0:00:00:00:00:04", "C0:00:00:00:00:05"])
    func `check accepts the proposed entry`(address: String) throws {
        let entry = try SimulatedHouse().run("inspect", address, "--yaml")
        #expect(entry.status == 0)
        try Bluefleet.withFile(entry.output) { file in
            let check = try Bluefleet.run("check", "--config", file)
            #expect(check.status == 0, "\(check.output)")
            #expect(check.output.contains("devices  1"))
        }
    }

    @Test(arguments: ["", "devices: {}", "gateway: attic\n# The end.", "gateway: attic\ndevices:\nlog: info\n"])
    func `entries can be appended to a file one after the other`(beginning: String) throws {
        let house = try SimulatedHouse(
            """
            peripherals:
              first: {address: "C0:00:00:00:00:01", name: Climate}
              second: {address: "C0:00:00:00:00:02", name: Climate}
            """)
        try Bluefleet.withFile(beginning) { file in
            for address in ["C0:00:00:00:00:01", "C0:00:00:00:00:02"] {
                let inspect = try house.run("inspect", address, "--yaml", "--config", file)
                #expect(inspect.lines.allSatisfy { $0.count < 80 })
                let end = try #require(FileHandle(forWritingAtPath: file))
                _ = try end.seekToEnd()
                try end.write(contentsOf: Data(inspect.output.utf8))
                try end.close()
            }
            let check = try Bluefleet.run("check", "--json", "--config", file)
            #expect(check.status == 0, "\(check.output)")
            #expect(check.output.contains(#""devices":["climate","climate_0002"]"#))
            let again = try house.run("inspect", "C0:00:00:00:00:01", "--yaml", "--config", file)
            #expect(again.error.contains("\(file) already contains C0:00:00:00:00:01: 'climate'"))
        }
    }

    @Test func `run accepts the proposed entry`() throws {
        let house = try SimulatedHouse()
        let broker = try Broker()
        defer { broker.stop() }
        let entry = try house.run("inspect", "C0:00:00:00:00:01", "--yaml").output
        let folder = broker.folder.path("state")
        let yaml = entry + "mqtt: {url: 'mqtt://127.0.0.1:\(broker.port)'}\nstate_directory: \(folder)\n"
        try Bluefleet.withFile(yaml) { file in
            let subscriber = try Command(
                "mosquitto_sub",
                ["-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "bluefleet/climate/battery_level", "-C", "1"])
            let bridge = try RunningBluefleet("run", "--config", file, "--bus", house.bus)
            #expect(subscriber.waitForOutput().contains(#""value":93,"unit":"%""#))
            bridge.send(SIGTERM)
            #expect(bridge.exit() == 0)
            #expect(!bridge.error.rest().contains("not available"))
        }
    }

    @Test func `the proposed entry has the maker, the model and the versions that the device reports`() throws {
        let house = try SimulatedHouse(
            """
            peripherals:
              sensor:
                address: C0:00:00:00:00:01
                name: Sensor
                services:
                  - uuid: 180A
                    characteristics:
                      - {uuid: 2A29, flags: [read], hex: "4578616d706c6520224c746422001b"}
                      - {uuid: 2A24, flags: [read], hex: "4d6f64656c3a2031"}
                      - {uuid: 2A26, flags: [read], hex: "312e32"}
                      - {uuid: 2A25, flags: [read], hex: "3939"}
                  - {uuid: 180F, characteristics: [{uuid: 2A19, flags: [read], hex: "40"}]}
            """)
        let entry = try house.run("inspect", "C0:00:00:00:00:01", "--yaml").output
        #expect(entry.contains(#"    manufacturer: "Example \"Ltd\"""#))
        #expect(entry.contains(#"    model: "Model: 1""#))
        #expect(entry.contains("    # Versions: firmware 1.2\n") && !entry.contains("99"))
        try Bluefleet.withFile(entry) { file in
            let check = try Bluefleet.run("check", "--config", file)
            #expect(check.status == 0, "\(check.output)")
        }
    }

    @Test func `names are taken from the descriptors if the Bluetooth SIG has none`() throws {
        let odd = """
            peripherals:
              odd:
                address: C0:00:00:00:00:01
                name: "Bridge"
                services:
                  - uuid: 5f6d0001-7a2c-4d0e-9c3b-1e0f6a5b4c3d
                    characteristics:
                      - uuid: 5f6d0002-7a2c-4d0e-9c3b-1e0f6a5b4c3d
                        flags: [read]
                        hex: "0001"
                        descriptors: [{uuid: 2901, text: Info}, {uuid: 2904, hex: 0EFE2F27010000}]
                      - {uuid: 5f6d0003-7a2c-4d0e-9c3b-1e0f6a5b4c3d, flags: [write], hex: "00"}
                      - uuid: 5f6d0004-7a2c-4d0e-9c3b-1e0f6a5b4c3d
                        flags: [read]
                        hex: "01000200"
                        descriptors: [{uuid: 2901, text: Pair}, {uuid: 2904, hex: "18000027010000"}]
                      - uuid: 5f6d0005-7a2c-4d0e-9c3b-1e0f6a5b4c3d
                        flags: [read]
                        hex: "fd0f"
                        descriptors: [{uuid: 2901, text: Drift}, {uuid: 2904, hex: "0DFF2F27010000"}]
            """
        let house = try SimulatedHouse(odd)
        let entry = try house.run("inspect", "C0:00:00:00:00:01", "--yaml")
        // `bridge` and `info` are reserved in topics.
        #expect(entry.output.contains("  device_c00000000001:\n"))
        #expect(entry.output.contains("      characteristic_5f6d0002:\n"))
        #expect(entry.output.contains(#"format: [{name: info, type: sint16, scale: 0.01, unit: "°C"}]"#))
        #expect(entry.output.contains("      # characteristic_5f6d0003:\n"))
        #expect(entry.output.contains("format: [{name: pair, type: uint16, count: 2}]"))
        // The configuration has no type of 12 bits: the bridge reads the descriptors of the device.
        #expect(entry.output.contains("      drift:\n"))
        #expect(!entry.output.contains("format: [{name: drift"))
        try Bluefleet.withFile(entry.output) { file in
            let check = try Bluefleet.run("check", "--config", file)
            #expect(check.status == 0)
        }
        let text = try house.run("inspect", "C0:00:00:00:00:01").output
        #expect(text.contains("      2.56 °C\n"))
        #expect(text.contains("      -0.3 °C\n"))
    }

    /// A device that advertises a temperature and a humidity (BTHome), and has more values in characteristics.
    private let advertiser = """
        peripherals:
          climate:
            address: C0:00:00:00:00:01
            name: Climate
            advertise: {every: 1s, service_data: {FCD2: [4002400103a41f]}}
            services:
              - {uuid: 181A, characteristics: [{uuid: temperature, flags: [read, notify], value: 21}]}
              - {uuid: 180F, characteristics: [{uuid: battery_level, flags: [read, notify], value: 93}]}
              - uuid: 5f6d0001-7a2c-4d0e-9c3b-1e0f6a5b4c3d
                characteristics:
                  - {uuid: 5f6d0002-7a2c-4d0e-9c3b-1e0f6a5b4c3d, flags: [read, write], hex: "00"}
        """

    /// Inspects the device of a fleet, and returns its entry without the separator of documents.
    private func entry(_ fleet: String) throws -> (text: String, error: String) {
        let inspect = try SimulatedHouse(fleet).run("inspect", "C0:00:00:00:00:01", "--yaml")
        #expect(inspect.status == 0)
        #expect(inspect.lines.allSatisfy { $0.count < 80 })
        try Bluefleet.withFile(inspect.output) { file in
            let check = try Bluefleet.run("check", file)
            #expect(check.status == 0, "\(check.output)")
            #expect(check.error == "")
        }
        return (String(inspect.output.dropFirst("\n---\n".count)), inspect.error)
    }

    @Test func `the entry of a device that advertises has only the other values as characteristics`() throws {
        #expect(
            try entry(advertiser).text == """
                devices:
                  climate:
                    address: C0:00:00:00:00:01
                    # Advertised in 10 s: temperature, humidity
                    # Characteristics without a known format:
                    # 5f6d0002-7a2c-4d0e-9c3b-1e0f6a5b4c3d
                    advertisement: true
                    connect: every 1h
                    characteristics:
                      battery_level: {service: 180F, uuid: 2A19, read: on connect}

                """)
    }

    @Test func `a device that only advertises needs no connection`() throws {
        let fleet = advertiser.replacingOnce(
            "name: Climate", with: "name: Climate\n    pace: {connect_timeout: 100ms}"
        ).replacingOnce("every: 1s,", with: "every: 1s, connectable: false,")
        let (text, error) = try entry(fleet)
        #expect(
            text == """
                devices:
                  climate:
                    address: C0:00:00:00:00:01
                    # Advertised in 10 s: temperature, humidity
                    connect: never

                """)
        #expect(error.contains("C0:00:00:00:00:01: "))
        #expect(error.hasSuffix("; the entry uses only its advertisements\n"))
    }

    @Test func `the entry of a device with encrypted advertisements has a comment with the key`() throws {
        let fleet = advertiser.replacingOnce("4002400103a41f", with: "41a47266c95f730011223378237214")
        let text = try entry(fleet).text
        #expect(text.contains("    # The advertisements are encrypted. "))
        #expect(text.contains("    # key_file: /etc/bluefleet/keys/climate.key\n"))
        #expect(text.contains("      temperature:"))
        #expect(text.contains("    connect: every 1h\n"))
        #expect(!text.contains("      characteristic_5f6d0002:"))
    }

    @Test func `the entry shows how to describe the bytes of an unknown format`() throws {
        let fleet = advertiser.replacingOnce("service_data: {FCD2: [4002400103a41f]}", with: "rssi: -60").replacingOnce(
            "hex: \"00\"}", with: "hex: 4e6f727468}")
        let text = try entry(fleet).text
        #expect(text.contains("        # format: [{name: text, type: utf8}] describes the bytes\n"))
    }

    @Test func `a device that never accepts a connection is given up after the time of --within`() throws {
        let fleet = advertiser.replacingOnce("every: 1s,", with: "every: 1s, connectable: false,")
        let inspect = try SimulatedHouse(fleet).run("inspect", "C0:00:00:00:00:01", "--yaml", "--within", "1s")
        #expect(inspect.status == 0)
        #expect(
            inspect.error
                == "bluefleet: C0:00:00:00:00:01: no connection within 1s; the entry uses only its advertisements\n")
    }
}

import Bluetooth
import Codec
import Configuration
import Simulator
import System
import TestSupport
import Testing

/// SimulatedFleet files, and the messages about their mistakes.
@Suite struct FleetTests {
    @Test func `the fleet file of the demo has no mistakes`() throws {
        let house = try SimulatedFleet.house()
        #expect(house.peripherals.map(\.name) == ["climate", "soil", "door", "heart_rate", "relay", "porch"])
    }

    @Test func `an empty fleet file has one adapter and no peripherals`() throws {
        let fleet = try SimulatedFleet.read(yaml: "", name: "fleet.yaml")
        #expect(fleet.adapters.map(\.name) == ["hci0"])
        #expect(fleet.peripherals.isEmpty)
    }

    @Test func `hosts have adapters with full names, and a position`() throws {
        let fleet = try SimulatedFleet.read(
            yaml: """
                hosts:
                  attic: {adapters: {hci0: {address: "00:00:5E:00:53:01"}}}
                  cellar: {position: [12, -3.5], adapters: {hci0: {address: "00:00:5E:00:53:02"}}}
                peripherals: {sensor: {address: C0:00:00:00:00:01, position: [4, 2], adapters: [attic/hci0]}}
                """, name: "fleet.yaml")
        #expect(fleet.machines.map(\.name) == ["attic", "cellar"])
        #expect(fleet.machines.map(\.position.y) == [0, -3.5])
        #expect(fleet.adapters.map(\.fullName) == ["attic/hci0", "cellar/hci0"])
        #expect(fleet.peripherals[0].position?.x == 4)
    }

    @Test func `the names and addresses of copies count up`() throws {
        let fleet = try SimulatedFleet.read(
            yaml: "peripherals: {sensor: {address: C0:00:00:00:00:FE, name: Sensor, copies: 3}}", name: "fleet.yaml")
        #expect(fleet.peripherals.map(\.name) == ["sensor-1", "sensor-2", "sensor-3"])
        #expect(fleet.peripherals.map(\.address.description).last == "C0:00:00:00:01:00")
        #expect(fleet.peripherals.map(\.localName) == ["Sensor 1", "Sensor 2", "Sensor 3"])
    }

    @Test func `a peripheral with a profile has its services, and looks like a device of this kind`() throws {
        let fleet = try SimulatedFleet.read(
            yaml: "peripherals: {battery: {address: C0:00:00:00:00:01, profile: jbd/battery}}", name: "fleet.yaml")
        let peripheral = fleet.peripherals[0]
        #expect(peripheral.localName == "JBD-1")
        #expect(peripheral.advertising.services == [0xFF00])
        #expect(peripheral.services.map(\.uuid) == [0xFF00])
        let characteristics = peripheral.services[0].characteristics
        #expect(characteristics.map(\.uuid) == [0xFF02, 0xFF01])
        #expect(characteristics.map(\.properties) == [.writeWithoutResponse, .notify])
        #expect(characteristics[0].answers.count == 6)
    }

    @Test func `a peripheral replays the answers of a recording`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(
            """
            profile: jbd/battery
            version: 1
            tests:
              - {entry: cells, ask: DDA50400FFFC77, answer: DD0400080D660D610D680D59FE3C77, source: recorded}
            """, to: "battery.yaml")
        func fleet(_ file: String) throws -> SimulatedFleet {
            try SimulatedFleet.read(
                yaml: "peripherals: {battery: {address: C0:00:00:00:00:01, replay: \(file)}}",
                name: "\(folder.path)/fleet.yaml")
        }
        let characteristics = try fleet("battery.yaml").peripherals[0].services[0].characteristics
        #expect(characteristics[0].answers.map(\.question.description) == ["DDA50400FFFC77"])
        let error = #expect(throws: ConfigurationError.self) { try fleet("missing.yaml") }
        #expect(
            error?.description
                == "\(folder.path)/missing.yaml:1:1: cannot read the file: No such file or directory")
        try folder.write("profile: jbd/battery\ntests: [{entry: cell, ask: DD, source: recorded}]", to: "battery.yaml")
        let unknown = #expect(throws: ConfigurationError.self) { try fleet("battery.yaml") }
        #expect(
            unknown?.description
                == "\(folder.path)/battery.yaml:2:9: unknown entry of the profile 'cell': did you mean 'cells'?")
    }

    static let mistakes: KeyValuePairs = [
        "peripherals: {a: {address: C0:00:00:00:00:01, profile: jbd/batery}}":
            "fleet.yaml:1:56: unknown profile 'jbd/batery': did you mean 'jbd/battery'?",
        "adaptors: {}": "fleet.yaml:1:1: unknown key 'adaptors': did you mean 'adapters'?",
        "peripherals: {a: {}}":
            "fleet.yaml:1:18: the key 'address' is missing: add it, e.g. address: C0:00:00:00:00:01",
        "peripherals: {a: {address: C0:00:00:00:00:01, adapters: [hci1]}}":
            "fleet.yaml:1:15: unknown adapter 'hci1': did you mean 'hci0'?",
        "peripherals: {a: {address: C0:00:00:00:00:01}, b: {address: C0:00:00:00:00:01}}":
            "fleet.yaml:1:48: b has the same address as a: C0:00:00:00:00:01",
        "peripherals: {a: {address: 40:00:00:00:00:01, identity: C0:00:00:00:00:02}, b: {address: C0:00:00:00:00:02}}":
            "fleet.yaml:1:77: b has the same address as a: C0:00:00:00:00:02",
        "peripherals: {\"a\\0b\": {address: C0:00:00:00:00:01}}":
            "fleet.yaml:1:15: invalid name of a peripheral: it contains a NUL character",
        "peripherals: {a: {address: C0:00:00:00:00:01, faults: [connect abort]}}":
            "fleet.yaml:1:56: unknown fault 'connect abort': did you mean 'connect aborts'?",
        "peripherals: {a: {address: C0:00:00:00:00:01, pairing: passkey 1234567}}": """
        fleet.yaml:1:56: expected just works, passkey 123456, display, compare 123456 or refused, \
        found 'passkey 1234567': did you mean 'passkey 123456'?
        """,
        "peripherals: {a: {address: C0:00:00:00:00:01, services: [{uuid: 181A, includes: [180F]}]}}":
            "fleet.yaml:1:57: unknown included service 180F: add it to the services of this peripheral",
        "adapters: {\"hci 0\": {address: \"00:00:00:00:00:01\"}}":
            "fleet.yaml:1:12: invalid adapter name 'hci 0': use letters and digits, for example hci0",
        "adapters: {hci0: {address: \"00:00:00:00:00:01\"}, hci1: {address: \"00:00:00:00:00:01\"}}":
            "fleet.yaml:1:50: hci1 has the same address as hci0: 00:00:00:00:00:01",
        "hosts: {a: {adapters: {hci0: {address: \"00:00:00:00:00:01\"}}}}\nadapters: {}":
            "fleet.yaml:2:11: both 'hosts' and 'adapters' are given: move the adapters below a host",
        "hosts: {a: {adapters: {hci0: {address: \"00:00:00:00:00:01\"}}}, b: {adapters: {hci0: {address: \"00:00:00:00:00:01\"}}}}":
            "fleet.yaml:1:79: b/hci0 has the same address as a/hci0: 00:00:00:00:00:01",
        "hosts: {a: {position: [1, 2]}}":
            "fleet.yaml:1:12: the key 'adapters' is missing: add it, e.g. adapters: {hci0: {address: \"00:00:5E:00:53:01\"}}",
        "hosts: {a: {position: [1, 2, 3], adapters: {hci0: {address: \"00:00:00:00:00:01\"}}}}":
            "fleet.yaml:1:23: expected two numbers from -10000 to 10000, in metres, for example [12, 3]",
        "hosts: {a b: {adapters: {hci0: {address: \"00:00:00:00:00:01\"}}}}":
            "fleet.yaml:1:9: invalid host name 'a b': use letters, digits, '-', '_' and '.', for example attic",
        "hosts: {a: {adapters: {hci0: {address: \"00:00:00:00:00:01\"}}}}\nperipherals: {a: {address: C0:00:00:00:00:01}}":
            "fleet.yaml:2:15: a is the name of a host: give the peripheral another name",
        "hosts: {a: {adapters: {hci0: {address: \"00:00:00:00:00:01\"}}}}\nperipherals: {b: {address: C0:00:00:00:00:01, adapters: [hci0]}}":
            "fleet.yaml:2:15: unknown adapter 'hci0': did you mean 'a/hci0'?",
    ]

    @Test func `a mistake is reported with its line and column`() {
        for (yaml, mistake) in Self.mistakes {
            let error = #expect(throws: ConfigurationError.self) {
                try SimulatedFleet.read(yaml: yaml, name: "fleet.yaml")
            }
            #expect(error?.description == mistake)
        }
    }

    @Test func `a peripheral has at most 65,535 attributes`() throws {
        func fleet(_ count: Int) -> String {
            let characteristics = [String](repeating: "{uuid: FFF1}", count: count).joined(separator: ", ")
            return """
                peripherals:
                  a: {address: C0:00:00:00:00:01, services: [{uuid: 181A, characteristics: [\(characteristics)]}]}
                """
        }
        // The standard services have 13 attributes, the own service has 1, and each characteristic has 2.
        _ = try SimulatedFleet.read(yaml: fleet(32_760), name: "fleet.yaml")
        let error = #expect(throws: ConfigurationError.self) {
            try SimulatedFleet.read(yaml: fleet(32_761), name: "fleet.yaml")
        }
        #expect(
            error?.mistakes.map(\.message) == ["too many attributes: 65536; a peripheral has at most 65535 handles"])
    }

    static let characteristics: KeyValuePairs = [
        "uuid: 2A6E, value: 400": "temperature: expected a number from -273.15 to 327.67, found 400",
        "uuid: 2A6E, value: {sine: {from: 0, to: 400, over: 1m}}":
            "temperature: expected a number from -273.15 to 327.67, found 400",
        "uuid: 2A6E, flags: [red]": "unknown flag 'red': did you mean 'read'?",
        "uuid: 2A6E, notify: 1s": "the key 'notify' needs the flag notify or indicate",
        "uuid: FFF1, value: 1": "the value has no format: add 'format', or give the bytes as 'hex'",
        "uuid: FFF1, hex: 0a0": "expected pairs of hexadecimal digits, for example 0a01, found 0",
        "uuid: 2A6E, value: 1, hex: \"00\"": "both 'value' and 'hex' are given: remove one of them",
        "uuid: 2A6E, value: {walk: {from: 2, to: 1, step: 1}}": "'from' must not be greater than 'to'",
        "uuid: FFF1, format: [{name: level, type: uint64}], value: {ramp: {from: 0, to: 1e31, over: 1m}}":
            "the numbers of a curve must be between -1e30 and 1e30",
        "uuid: FFF1, format: [{name: level, type: uint32}], value: {walk: {from: 0, to: 1e15, step: 1e30}}":
            "level: expected a number from 0 to 4294967295, found 1000000000000000",
        "uuid: FFF1, format: [{name: open, type: boolean}], value: {ramp: {from: 0, to: 1, over: 10s}}":
            "open: expected true or false, found 0.5",
        "uuid: 2A6E, mirror: FFF2": "unknown mirror FFF2: add this characteristic to a service of this peripheral",
    ]

    @Test func `a mistake in a characteristic is reported`() {
        for (characteristic, mistake) in Self.characteristics {
            let yaml = """
                peripherals:
                  a: {address: C0:00:00:00:00:01, services: [{uuid: 181A, characteristics: [{\(characteristic)}]}]}
                """
            let message = #expect(throws: ConfigurationError.self) {
                try SimulatedFleet.read(yaml: yaml, name: "fleet.yaml")
            }?
            .mistakes.first?.message
            #expect(message == mistake)
        }
    }
}

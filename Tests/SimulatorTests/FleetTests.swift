import Bluetooth
import Configuration
import Simulator
import Testing

/// A fleet's file, and what it may not say.
@Suite struct FleetTests {
    @Test func `the house is a fleet without mistakes`() throws {
        let house = try Fleet.house()
        #expect(house.peripherals.map(\.name) == ["climate", "soil", "door", "heart_rate", "relay", "porch"])
    }

    @Test func `an empty file is a machine with one adapter`() throws {
        let fleet = try Fleet.read(yaml: "", name: "fleet.yaml")
        #expect(fleet.adapters.map(\.name) == ["hci0"])
        #expect(fleet.peripherals.isEmpty)
    }

    @Test func `copies count up`() throws {
        let fleet = try Fleet.read(
            yaml: "peripherals: {sensor: {address: C0:00:00:00:00:FE, name: Sensor, copies: 3}}", name: "fleet.yaml")
        #expect(fleet.peripherals.map(\.name) == ["sensor-1", "sensor-2", "sensor-3"])
        #expect(fleet.peripherals.map(\.address.description).last == "C0:00:00:00:01:00")
        #expect(fleet.peripherals.map(\.localName) == ["Sensor 1", "Sensor 2", "Sensor 3"])
    }

    static let mistakes: KeyValuePairs = [
        "adaptors: {}": "fleet.yaml:1:1: unknown key 'adaptors': did you mean 'adapters'?",
        "peripherals: {a: {}}":
            "fleet.yaml:1:18: the key 'address' is missing, as in address: C0:00:00:00:00:01",
        "peripherals: {a: {address: C0:00:00:00:00:01, adapters: [hci1]}}":
            "fleet.yaml:1:15: unknown adapter 'hci1': did you mean 'hci0'?",
        "peripherals: {a: {address: C0:00:00:00:00:01}, b: {address: C0:00:00:00:00:01}}":
            "fleet.yaml:1:48: b has the address of a: C0:00:00:00:00:01",
        "peripherals: {a: {address: 40:00:00:00:00:01, identity: C0:00:00:00:00:02}, b: {address: C0:00:00:00:00:02}}":
            "fleet.yaml:1:77: b has the address of a: C0:00:00:00:00:02",
        "peripherals: {\"a\\0b\": {address: C0:00:00:00:00:01}}":
            "fleet.yaml:1:15: the name of a peripheral cannot hold a NUL character",
        "peripherals: {a: {address: C0:00:00:00:00:01, faults: [connect abort]}}":
            "fleet.yaml:1:56: unknown fault 'connect abort': did you mean 'connect aborts'?",
        "peripherals: {a: {address: C0:00:00:00:00:01, pairing: passkey 1234567}}": """
        fleet.yaml:1:56: expected just works, passkey 123456, display, compare 123456 or refused, \
        found 'passkey 1234567': did you mean 'passkey 123456'?
        """,
        "peripherals: {a: {address: C0:00:00:00:00:01, services: [{uuid: 181A, includes: [180F]}]}}":
            "fleet.yaml:1:57: the included service 180F is not there",
        "adapters: {\"hci 0\": {address: \"00:00:00:00:00:01\"}}":
            "fleet.yaml:1:12: the name of an adapter consists of letters and digits, as in hci0",
    ]

    @Test func `each mistake stands where it was made`() {
        for (yaml, mistake) in Self.mistakes {
            let error = #expect(throws: ConfigurationError.self) { try Fleet.read(yaml: yaml, name: "fleet.yaml") }
            #expect(error?.description == mistake)
        }
    }

    @Test func `a peripheral has as many attributes as there are handles, and no more`() throws {
        func fleet(_ count: Int) -> String {
            let characteristics = [String](repeating: "{uuid: FFF1}", count: count).joined(separator: ", ")
            return """
                peripherals:
                  a: {address: C0:00:00:00:00:01, services: [{uuid: 181A, characteristics: [\(characteristics)]}]}
                """
        }
        // The services that every peripheral has take 13, its own takes 1, and each characteristic 2.
        _ = try Fleet.read(yaml: fleet(32_760), name: "fleet.yaml")
        let error = #expect(throws: ConfigurationError.self) { try Fleet.read(yaml: fleet(32_761), name: "fleet.yaml") }
        #expect(error?.mistakes.map(\.message) == ["its 65536 attributes are more than the 65535 handles"])
    }

    static let characteristics: KeyValuePairs = [
        "uuid: 2A6E, value: 400": "temperature: a number from -273.15 to 327.67 is expected, not 400",
        "uuid: 2A6E, value: {sine: {from: 0, to: 400, over: 1m}}":
            "temperature: a number from -273.15 to 327.67 is expected, not 400",
        "uuid: 2A6E, flags: [red]": "unknown flag 'red': did you mean 'read'?",
        "uuid: 2A6E, notify: 1s": "what notifies needs the flag notify or indicate",
        "uuid: FFF1, value: 1": "a value needs a format, or give its bytes as hex",
        "uuid: FFF1, hex: 0a0": "expected pairs of hexadecimal digits such as 0a01, found 0",
        "uuid: 2A6E, value: 1, hex: \"00\"": "give value or hex, not both",
        "uuid: 2A6E, value: {walk: {from: 2, to: 1, step: 1}}": "a walk goes from the lower to the higher number",
        "uuid: FFF1, format: [{name: level, type: uint64}], value: {ramp: {from: 0, to: 1e31, over: 1m}}":
            "a curve stays between -1e30 and 1e30",
        "uuid: FFF1, format: [{name: level, type: uint32}], value: {walk: {from: 0, to: 1e15, step: 1e30}}":
            "level: a number from 0 to 4294967295 is expected, not 1000000000000000",
        "uuid: FFF1, format: [{name: open, type: boolean}], value: {ramp: {from: 0, to: 1, over: 10s}}":
            "open: true or false is expected, not 0.5",
        "uuid: 2A6E, mirror: FFF2": "the mirror FFF2 is not there",
    ]

    @Test func `a characteristic's mistakes`() {
        for (characteristic, mistake) in Self.characteristics {
            let yaml = """
                peripherals:
                  a: {address: C0:00:00:00:00:01, services: [{uuid: 181A, characteristics: [{\(characteristic)}]}]}
                """
            let message = #expect(throws: ConfigurationError.self) { try Fleet.read(yaml: yaml, name: "fleet.yaml") }?
                .mistakes.first?.message
            #expect(message == mistake)
        }
    }
}

import Codec
import Configuration
import JSON
import Testing

@Suite struct ProfileTests {
    @Test func `characteristics are merged by name, and their keys one by one`() throws {
        let configuration = try Configuration(
            yaml: """
                profiles:
                  p:
                    hold: 1m
                    quiet: 5m
                    characteristics:
                      temperature: {subscribe: true, publish: {deadband: 0.5, at_least_every: 5m}}
                      humidity: {subscribe: true}
                devices:
                  d:
                    address: C0:00:00:00:00:01
                    profile: p
                    quiet: ~
                    characteristics:
                      battery_level: {read: 1h}
                      temperature: {read: on connect, publish: {deadband: 0.2}}
                """)
        let device = try #require(configuration.devices.first)
        #expect(device.hold == .seconds(60))
        #expect(device.quiet == nil)
        #expect(device.characteristics.map(\.name) == ["temperature", "humidity", "battery_level"])
        let temperature = device.characteristics[0]
        #expect(temperature.subscribe)
        #expect(temperature.read == .onConnect)
        #expect(temperature.publish.deadband == 0.2)
        #expect(temperature.publish.atLeastEvery == .seconds(300))
    }

    @Test func `a fleet rule can have its own keys`() throws {
        let configuration = try Configuration(
            yaml: """
                profiles: {p: {connect: every 1h, within: 5s}}
                fleet: [{match: {manufacturer: 0x0499}, profile: p, connect: never}]
                """)
        let rule = try #require(configuration.fleet.first)
        #expect(rule.settings.connect == .never)
        #expect(rule.settings.within == .seconds(5))
        #expect(rule.match.manufacturer == 0x0499)
    }

    @Test func `the formulas of a format can use a number of with, unless a field or a bit has its name`() throws {
        let configuration = try Configuration(
            yaml: """
                profiles:
                  meter:
                    with: {pulses: 1000, taken: 9, pair: 2}
                    characteristics:
                      energy:
                        uuid: 9e400002-b5a3-f393-e0a9-e50e24dcca9e
                        read: on connect
                        format:
                          - {name: pulse_count, type: uint16, hidden: true}
                          - {name: flags, type: uint8, bits: {0: taken}}
                          - {name: energy, type: number, value: pulse_count / pulses, unit: kWh}
                          - {name: double, type: number, value: taken * 2}
                          - {name: values, type: uint8, count: pair + 1}
                devices:
                  a: {address: C0:00:00:00:00:01, profile: meter}
                  b: {address: C0:00:00:00:00:02, profile: meter, with: {pulses: 500}}
                """)
        for (device, energy) in zip(configuration.devices, [2, 4] as [Decimal]) {
            let format = try #require(device.characteristics.first?.format)
            let record = format.members(of: try format.decode([0xD0, 0x07, 1, 7, 8, 9]))
            #expect(record["energy"] == .number(energy), "\(device.name)")
            #expect(record["double"] == .number(2))
            #expect(record["values"] == .list([.number(7), .number(8), .number(9)]))
        }
        #expect(configuration.devices.count == 2)
    }

    @Test func `devices of a profile share one copy of its formats`() throws {
        let configuration = try Configuration(
            yaml: """
                profiles:
                  p:
                    characteristics:
                      level: {uuid: b1f70001-5f1e-4c7d-9a52-0c1f1e57f00d, format: [{name: level, type: uint8}]}
                devices:
                  a: {address: C0:00:00:00:00:01, profile: p}
                  b: {address: C0:00:00:00:00:02, profile: p}
                """)
        let formats = configuration.devices.compactMap(\.characteristics.first?.format)
        let places = formats.map { $0.fields.withUnsafeBufferPointer(\.baseAddress) }
        #expect(places.count == 2)
        #expect(places[0] == places[1])
    }

    @Test func `an unused profile is checked`() {
        #expect(
            mistakes(in: "profiles: {p: {quiet: 0s}}") == ["1:23: expected a duration above 0"])
    }

    @Test func `a device that only moves within the file is unchanged`() throws {
        let entry = "devices:\n  d: {address: C0:00:00:00:00:01}"
        let (before, after) = (try Configuration(yaml: entry), try Configuration(yaml: "log: info\n\n" + entry))
        #expect(before.devices == after.devices)
        #expect(before.lines != after.lines)
    }

    @Test(arguments: ["Süd/1 ä-b_c": "Sufcd_1_ue4-b_c", "温度": "u6e29u5ea6", "output": "output"])
    func `a Home Assistant identifier has only ASCII letters, digits, - and _`(_ name: String, _ identifier: String) {
        #expect(Configuration.HomeAssistant.identifier(for: name) == identifier)
    }
}

extension Scenario {
    /// The durations of a peripheral's operations, short for tests that do not examine time.
    static let hurry =
        "{connect: 5ms, resolve: 5ms, read: 1ms, write: 1ms, subscribe: 1ms, disconnect: 10ms, pair: 1ms}"

    /// A fleet of a climate sensor and a relay.
    static let house = """
        peripherals:
          climate:
            address: C0:00:00:00:00:01
            advertise: {rssi: -61, every: 5ms}
            pace: \(hurry)
            mtu: 247
            services:
              - uuid: 181A
                characteristics:
                  - {uuid: temperature, flags: [read, notify], value: 21.53}
                  - {uuid: humidity, flags: [read, notify], value: 40.25}
              - uuid: 180F
                characteristics: [{uuid: battery_level, flags: [read, notify], value: 93}]
          relay:
            address: C0:00:00:00:00:05
            advertise: {every: 5ms}
            pace: \(hurry)
            services:
              - uuid: \(service)
                characteristics:
                  - {uuid: \(output), flags: [read, write, write-without-response], hex: "0000"}
                  - {uuid: \(state), flags: [read, notify], hex: "00"}
                  - {uuid: \(secret), flags: [read, write], hex: "2a", descriptors: [{uuid: 2901, text: "Secret"}]}
        """

    static let service = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
    static let output = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
    static let state = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
    static let secret = "6e400004-b5a3-f393-e0a9-e50e24dcca9e"

    /// The climate sensor's characteristics.
    static let climate = """
        characteristics:
          temperature: {service: 181A, uuid: 2A6E, subscribe: true}
          humidity: {service: 181A, uuid: 2A6F, subscribe: true}
          battery: {service: 180F, uuid: 2A19, read: 1h}
        """

    /// The relay, connected on demand; the characteristic `output` can be written, `secret` cannot.
    static let relay = """
        relay:
          address: C0:00:00:00:00:05
          connect: on demand
          hold: 1h
          characteristics:
            output:
              service: \(service)
              uuid: \(output)
              write: true
              format: [{name: channel, type: uint8}, {name: level, type: uint8, scale: 0.5, unit: "%"}]
            state: {service: \(service), uuid: \(state), format: [{name: on, type: boolean}]}
            secret: {service: \(service), uuid: \(secret), format: [{name: number, type: uint8}]}
        """

    /// Returns the fleet `house` with these devices.
    static func house(_ devices: String) -> Scenario {
        Scenario(fleet: house, "devices:\n" + devices.indented(by: 2))
    }

    /// Returns the fleet `house` with the climate sensor as the only device, with these keys.
    static func climate(_ keys: String) -> Scenario {
        house("climate:\n" + "address: C0:00:00:00:00:01\n\(keys)\n\(climate)".indented(by: 2))
    }
}

extension Scenario {
    /// Returns a copy in which the climate sensor notifies the named values, by default temperature and humidity, every
    /// 20 ms.
    func beating(_ names: String...) -> Scenario {
        with { scenario in
            for name in names.isEmpty ? ["temperature", "humidity"] : names {
                scenario.fleet.replace("uuid: \(name),", with: "uuid: \(name), notify: 20ms,")
            }
        }
    }
}

extension String {
    /// Replaces all occurrences of a text; there must be at least one, or the test would run without its change.
    mutating func replace(_ text: String, with other: String) {
        self = replacingAll(text, with: other)
    }

    /// Returns the string with all occurrences of a text replaced; there must be at least one.
    func replacingAll(_ text: String, with other: String) -> String {
        precondition(contains(text), "the text to replace is missing: \(text)")
        return replacing(text, with: other)
    }

    func indented(by count: Int) -> String {
        let space = String(repeating: " ", count: count)
        return split(separator: "\n").map { space + $0 }.joined(separator: "\n")
    }
}

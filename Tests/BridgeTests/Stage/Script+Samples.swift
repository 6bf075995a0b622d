extension Script {
    /// How fast a peripheral is where its pace does not matter.
    static let hurry =
        "{connect: 5ms, resolve: 5ms, read: 1ms, write: 1ms, subscribe: 1ms, disconnect: 10ms, pair: 1ms}"

    /// A climate sensor and a relay, in a hurry.
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

    /// The relay, on demand; its secret can be read only, its output also be written.
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

    /// The house with these devices.
    static func house(_ devices: String) -> Script {
        Script(fleet: house, "devices:\n" + devices.indented(by: 2))
    }

    /// The climate sensor of the house with these keys, and its usual characteristics.
    static func climate(_ keys: String) -> Script {
        house("climate:\n" + "address: C0:00:00:00:00:01\n\(keys)\n\(climate)".indented(by: 2))
    }
}

extension Script {
    /// The climate sensor notifies by itself, as most do: both quantities, or one.
    func beating(_ names: String...) -> Script {
        with { script in
            for name in names.isEmpty ? ["temperature", "humidity"] : names {
                script.fleet.replace("uuid: \(name),", with: "uuid: \(name), notify: 20ms,")
            }
        }
    }
}

extension String {
    /// - Precondition: the text is there: a script that stays as it is would play something else than it says.
    mutating func replace(_ text: String, with other: String) {
        precondition(contains(text), "\(text) is not in the script")
        self = replacing(text, with: other)
    }

    func indented(by count: Int) -> String {
        let space = String(repeating: " ", count: count)
        return split(separator: "\n").map { space + $0 }.joined(separator: "\n")
    }
}

/// A small simulated house in which each kind of work occurs, and the configuration of its gateway.
enum WorkingHouse {
    /// The fleet for `bluefleet simulate`: sensors that notify, one that is read, a relay, a sensor that only advertises, and
    /// one that cannot be connected.
    static let fleet = """
        adapters: {hci0: {address: "00:00:5E:00:53:01", connections: 3}}
        peripherals:
          climate:
            address: C0:00:00:00:00:01
            advertise: {every: 1s, jitter: 4}
            pace: {disconnect: 100ms}
            services:
              - uuid: 181A
                characteristics:
                  - {uuid: temperature, flags: [read, notify], value: {walk: {from: 18, to: 24, step: 1}}, notify: 1s}
                  - {uuid: humidity, flags: [read, notify], value: {walk: {from: 38, to: 62, step: 2}}, notify: 2s}
              - {uuid: 180F, characteristics: [{uuid: battery_level, flags: [read], value: 93}]}
            copies: 2
          soil:
            address: C0:00:00:00:01:01
            advertise: {every: 1s, jitter: 4}
            pace: {disconnect: 100ms}
            services:
              - uuid: 181A
                characteristics: [{uuid: temperature, flags: [read], value: {walk: {from: 14, to: 17, step: 1}}}]
          relay:
            address: C0:00:00:00:02:01
            advertise: {every: 1s}
            pace: {disconnect: 100ms}
            services:
              - uuid: 6e400001-b5a3-f393-e0a9-e50e24dcca9e
                characteristics:
                  - uuid: 6e400002-b5a3-f393-e0a9-e50e24dcca9e
                    flags: [read, write]
                    hex: "00"
                    mirror: 6e400003-b5a3-f393-e0a9-e50e24dcca9e
                  - {uuid: 6e400003-b5a3-f393-e0a9-e50e24dcca9e, flags: [read, notify], hex: "00"}
          porch:
            address: C0:00:00:00:03:01
            advertise: {every: 1s, connectable: false, service_data: {FCD2: [4002400103a41f, 40025701033c1f]}}
          broken:
            address: C0:00:00:00:04:01
            advertise: {every: 1s}
            faults: [connect aborts]
        """

    /// Returns the configuration of the gateway: the fleet, and a device that is out of range.
    ///
    /// - Parameters:
    ///   - port: The port of the broker.
    ///   - state: The folder of the state.
    ///   - isShared: Whether the gateway shares its devices with others.
    /// - Returns: The text of the file.
    static func configuration(port: UInt16, state: String, isShared: Bool) -> String {
        """
        gateway: house
        state_directory: \(state)
        share: \(isShared)
        mqtt: {url: "mqtt://127.0.0.1:\(port)"}
        profiles:
          climate:
            characteristics:
              temperature: {service: 181A, uuid: 2A6E, subscribe: true, publish: {average: 5s}}
              humidity: {service: 181A, uuid: 2A6F, subscribe: true, publish: {deadband: 1, at_least_every: 10s}}
              battery: {service: 180F, uuid: 2A19, read: 20s}
        devices:
          kitchen: {address: C0:00:00:00:00:01, profile: climate}
          cellar: {address: C0:00:00:00:00:02, profile: climate}
          soil:
            address: C0:00:00:00:01:01
            connect: every 10s
            characteristics: {temperature: {service: 181A, uuid: 2A6E, read: on connect}}
          relay:
            address: C0:00:00:00:02:01
            connect: on demand
            characteristics:
              output:
                service: 6e400001-b5a3-f393-e0a9-e50e24dcca9e
                uuid: 6e400002-b5a3-f393-e0a9-e50e24dcca9e
                write: true
                state: state
                format: [{name: on, type: boolean}]
              state:
                service: 6e400001-b5a3-f393-e0a9-e50e24dcca9e
                uuid: 6e400003-b5a3-f393-e0a9-e50e24dcca9e
                subscribe: true
                format: [{name: on, type: boolean}]
          porch: {address: C0:00:00:00:03:01, connect: never}
          broken: {address: C0:00:00:00:04:01, profile: climate}
          absent: {address: C0:00:00:00:05:01, profile: climate}
        """
    }
}

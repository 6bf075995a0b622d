import Codec

extension DemoHouse {
    /// Returns the commands to try from another terminal.
    ///
    /// - Parameters:
    ///   - port: The port of the broker.
    ///   - page: The line about the page.
    /// - Returns: The lines.
    static func advice(port: UInt16, page: String) -> [String] {
        [
            "Bluefleet demo: readings of simulated sensors, received over MQTT.",
            page,
            "Try in another terminal (Debian package: mosquitto-clients):",
            "  mosquitto_sub -h 127.0.0.1 -p \(port) -v -t 'bluefleet/#'",
            "  mosquitto_pub -h 127.0.0.1 -p \(port) -t bluefleet/relay/output/set -m true",
            "Ctrl-C stops the demo and removes all files.",
        ]
    }

    /// Returns the bridge's configuration for the devices of `config/fleets/house.yaml`.
    static func yaml(port: UInt16, folder: String) -> String {
        #"""
        gateway: demo
        state_directory: \#(Value.string("\(folder)/state"))

        mqtt:
          url: mqtt://127.0.0.1:\#(port)

        devices:
          climate:
            address: C0:00:00:00:00:01
            characteristics:
              temperature: {service: 181A, uuid: 2A6E, subscribe: true}
              humidity:    {service: 181A, uuid: 2A6F, subscribe: true}
              battery:     {service: 180F, uuid: 2A19, read: 1m}
          soil:
            address: C0:00:00:00:00:02
            connect: every 15s
            characteristics:
              bed:
                service: 5f6d0001-7a2c-4d0e-9c3b-1e0f6a5b4c3d
                uuid: 5f6d0002-7a2c-4d0e-9c3b-1e0f6a5b4c3d
                read: on connect
                format:
                  - {name: moisture, type: uint16, scale: 0.1, unit: "%"}
                  - {name: temperature, type: sint16, scale: 0.01, unit: "°C"}
          door:
            address: C0:00:00:00:00:03
            characteristics:
              open:
                service: 7e400001-b5a3-f393-e0a9-e50e24dcca9e
                uuid: 7e400002-b5a3-f393-e0a9-e50e24dcca9e
                subscribe: true
                format: [{name: open, type: boolean}]
          strap:
            address: C0:00:00:00:00:04
            characteristics:
              heart_rate: {service: 180D, uuid: 2A37, subscribe: true}
              location:   {service: 180D, uuid: 2A38, read: on connect}
          relay:
            address: C0:00:00:00:00:05
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
                read: on connect
                subscribe: true
                format: [{name: on, type: boolean}]
          porch:
            address: C0:00:00:00:00:06
            connect: never
        """#
    }
}

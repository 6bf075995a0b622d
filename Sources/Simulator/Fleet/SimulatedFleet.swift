package import Bluetooth

/// A fleet to simulate: machines with adapters, and the peripherals on their air.
package struct SimulatedFleet: Sendable {
    /// The seed of the random numbers: the same seed gives the same values.
    package var seed: UInt64
    /// The version of bluetoothd to simulate.
    package var version: BluetoothdVersion
    /// The time without advertisements after which a temporary device is removed; `TemporaryTimeout` in main.conf.
    package var temporaryTimeout: Duration
    package var machines: [Machine]
    package var peripherals: [Peripheral]

    /// The adapters of all machines.
    package var adapters: [Adapter] { machines.flatMap(\.adapters) }
}

extension SimulatedFleet {
    /// A position on the air, in metres.
    package struct Point: Hashable, Sendable {
        /// The permitted coordinates.
        static let range = -10_000.0...10_000

        package var x: Double
        package var y: Double

        static let origin = Point(x: 0, y: 0)
    }

    /// A computer with adapters, which has its own bluetoothd on its own bus.
    package struct Machine: Sendable {
        /// The host name in the fleet file; nil in a file without `hosts`, which has one machine.
        package var name: String?
        package var position: Point
        package var adapters: [Adapter]
    }

    /// A Bluetooth controller.
    package struct Adapter: Sendable {
        /// The host name of its machine; nil in a file without `hosts`.
        package var host: String?
        /// The last part of the adapter's object path, for example `hci0`.
        package var name: String
        package var address: Address
        /// The adapter's name on D-Bus; nil: "BlueZ" and the version of bluetoothd.
        package var alias: String?
        package var isPowered: Bool
        /// The supported roles: `central`, `peripheral`.
        package var roles: [String]
        /// The maximum number of connections at the same time.
        package var connections: Int
        /// The maximum number of advertisements that clients send at the same time; 0: the adapter cannot send any.
        package var advertisements: Int
        /// The time from the start of bluetoothd until the adapter appears.
        package var delay: Duration
        package var faults: [Fault.Rule]

        /// The name in the fleet, for example `hci0`, or `attic/hci0` if the file has `hosts`.
        package var fullName: String { host.map { "\($0)/\(name)" } ?? name }
    }

    /// A simulated peripheral.
    package struct Peripheral: Sendable {
        /// The name in the fleet file.
        package var name: String
        package var address: Address
        package var kind: AddressKind
        /// The identity address, which a bond reveals; `address` is then private and changes.
        ///
        /// If nil, `address` is not private.
        package var identity: Address?
        /// The name in the advertisements; nil for none.
        package var localName: String?
        /// The name in the Generic Access service.
        package var deviceName: String
        package var appearance: UInt16?
        /// The position, from which the signal strengths follow; nil: the strengths of `advertising`.
        package var position: Point?
        /// The full names of the adapters in range; nil: all adapters.
        package var adapters: [String]?
        package var advertising: Advertising
        package var pairing: Pairing
        /// Whether the peripheral has a bond with each adapter at the start.
        package var isBonded: Bool
        /// The maximum ATT MTU, in bytes.
        package var mtu: UInt16
        package var pace: Pace
        package var services: [Service]
        package var faults: [Fault.Rule]
    }

    /// The advertisements of a peripheral.
    package struct Advertising: Sendable {
        package var isOn: Bool
        package var interval: Duration
        package var services: [UUID]
        /// The service data, by service; if there are several values, each packet contains the next one.
        package var serviceData: [(UUID, [[UInt8]])]
        /// The manufacturer data, by company; if there are several values, each packet contains the next one.
        package var manufacturerData: [(UInt16, [[UInt8]])]
        package var txPower: Int16?
        /// The received signal strength in dBm; of a peripheral with a position, at a distance of 1 m.
        package var rssi: Int16
        /// The received signal strengths in dBm, by full name of the adapter; they precede `rssi` and the position.
        package var strengths: [String: Int16]
        /// The maximum random deviation of the signal strength, in dB.
        package var jitter: Int16
        package var isConnectable: Bool
        /// Whether the flags include a discoverable mode; a scan without a filter ignores other peripherals.
        package var isDiscoverable: Bool
    }

    /// The pairing method of a peripheral.
    package enum Pairing: Hashable, Sendable {
        case justWorks
        /// The peripheral displays a passkey that the user enters at the gateway.
        case passkeyEntry(UInt32)
        /// The gateway displays a passkey that the user enters at the peripheral.
        case passkeyDisplay
        /// The peripheral and the gateway display a number, and the user compares the two numbers.
        case numericComparison(UInt32)
        case refused
    }

    package struct Service: Sendable {
        package var uuid: UUID
        package var isPrimary: Bool
        package var includes: [UUID]
        package var characteristics: [Characteristic]
    }

    package struct Characteristic: Sendable {
        package var uuid: UUID
        package var properties: CharacteristicProperties
        package var content: Content
        /// The interval of notifications; nil: only a write and the control interface cause notifications.
        package var notifyInterval: Duration?
        package var readError: UInt8?
        package var writeError: UInt8?
        package var subscribeError: UInt8?
        /// Whether reading and writing need a bond.
        package var needsBond: Bool
        /// The UUID of the characteristic that receives a copy of each written value; nil: none.
        package var mirror: UUID?
        /// The answers to questions that are written to the characteristic.
        package var answers: [AnswerRule] = []
        package var descriptors: [Descriptor]
    }

    package struct Descriptor: Sendable {
        package var uuid: UUID
        package var value: [UInt8]
    }
}

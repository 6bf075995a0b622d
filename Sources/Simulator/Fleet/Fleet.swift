package import Bluetooth

/// A fleet to be simulated: the adapters of one machine, and the peripherals around it.
package struct Fleet: Sendable {
    /// What everything random follows from: the same seed, the same fleet.
    package var seed: UInt64
    /// The version whose behaviour is played.
    package var version: BluetoothdVersion
    /// How long a device that was only heard is remembered after it fell silent; main.conf's `TemporaryTimeout`.
    package var temporaryTimeout: Duration
    package var adapters: [Adapter]
    package var peripherals: [Peripheral]
}

extension Fleet {
    /// A Bluetooth controller.
    package struct Adapter: Sendable {
        /// The last part of its object path: `hci0`.
        package var name: String
        package var address: Address
        /// Nil: bluetoothd's version.
        package var alias: String?
        package var isPowered: Bool
        /// What it can be: `central`, `peripheral`.
        package var roles: [String]
        /// How many connections it keeps at a time.
        package var connections: Int
        /// How long after bluetoothd's start it appears.
        package var delay: Duration
        package var faults: [Fault.Rule]
    }

    /// A device with sensors or actuators, as it is built and placed.
    package struct Peripheral: Sendable {
        /// What the fleet's file calls it.
        package var name: String
        package var address: Address
        package var kind: AddressKind
        /// The address by which those know it who are bonded with it; nil: the same. `address` is private then, and changes.
        package var identity: Address?
        /// The name in its advertisements; nil for none.
        package var localName: String?
        /// The name in its Generic Access service.
        package var deviceName: String
        package var appearance: UInt16?
        /// The adapters that hear it; nil for all.
        package var adapters: [String]?
        package var advertising: Advertising
        package var pairing: Pairing
        /// Whether adapter and peripheral know each other's keys from the start.
        package var isBonded: Bool
        /// The size of the packets that it agrees to, in bytes.
        package var mtu: UInt16
        package var pace: Pace
        package var services: [Service]
        package var faults: [Fault.Rule]
    }

    /// How a peripheral is heard.
    package struct Advertising: Sendable {
        package var isOn: Bool
        package var interval: Duration
        package var services: [UUID]
        /// What is said one after the other, by service.
        package var serviceData: [(UUID, [[UInt8]])]
        /// What is said one after the other, by company.
        package var manufacturerData: [(UInt16, [[UInt8]])]
        package var txPower: Int16?
        /// The strength at which it is received, in dBm.
        package var rssi: Int16
        /// The strength at which adapters receive it that hear it better or worse, by their names.
        package var strengths: [String: Int16]
        /// How far the strength strays to both sides, in dB.
        package var jitter: Int16
        package var isConnectable: Bool
        /// Whether the advertisement's flags name a discoverable mode; without a filter bluetoothd passes over others.
        package var isDiscoverable: Bool
    }

    /// How a peripheral wants to be paired.
    package enum Pairing: Hashable, Sendable {
        case justWorks
        /// It shows a number that is entered at the gateway.
        case passkeyEntry(UInt32)
        /// The gateway shows a number that is entered there.
        case passkeyDisplay
        /// Both show a number, to be compared.
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
        /// How often the value is notified to those who subscribe; nil: only when it is written or somebody asks.
        package var notifyInterval: Duration?
        package var readError: UInt8?
        package var writeError: UInt8?
        /// Whether it wants a bond to be read or written.
        package var needsBond: Bool
        /// The characteristic that takes over what is written here.
        package var mirror: UUID?
        package var descriptors: [Descriptor]
    }

    package struct Descriptor: Sendable {
        package var uuid: UUID
        package var value: [UInt8]
    }
}

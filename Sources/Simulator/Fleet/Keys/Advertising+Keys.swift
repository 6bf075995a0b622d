import Bluetooth
import Configuration

extension SimulatedFleet.Advertising {
    enum Keys {
        static let on = Key("on", .boolean, default: "true", "Whether the peripheral advertises at the start.")
        static let every = Key("every", .positiveDuration, default: "200ms", "The advertising interval.")
        static let services = Key(
            "services", .list(of: .service), default: "[]", example: "[181A]", "The advertised services.")
        static let serviceData = Key(
            "service_data", Kind<[Named<[[UInt8]]>]>.named(.oneOrMore(.hexadecimal)), default: "{}",
            example: "{FCD2: 4002ca09}", "The service data, by service. Packets alternate through a list.")
        static let manufacturerData = Key(
            "manufacturer_data", Kind<[Named<[[UInt8]]>]>.named(.oneOrMore(.hexadecimal)), default: "{}",
            example: "{0x0499: 0512fc}",
            "The manufacturer data, by company identifier. Packets alternate through a list.")
        static let txPower = Key("tx_power", .integer(-127...20), example: "4", "The transmit power, in dBm.")
        static let rssi = Key(
            "rssi", .integer(-127...20), default: "-60",
            "The received signal strength, in dBm; of a peripheral with a position, at a distance of 1 m.")
        static let strengths = Key(
            "strengths", Kind<[Named<Int>]>.named(.integer(-127...20)), default: "{}", example: "{hci1: -80}",
            "The received signal strength at single adapters, in dBm; these take precedence over rssi and position.")
        static let jitter = Key(
            "jitter", .integer(0...30), default: "0", example: "3",
            "The maximum random deviation of the signal strength, in dB.")
        static let connectable = Key(
            "connectable", .boolean, default: "true", "Whether the peripheral accepts connections.")
        static let discoverable = Key(
            "discoverable", .boolean, default: "true",
            "Whether the flags include a discoverable mode. A scan without a filter ignores other peripherals.")

        static let section = Section(
            "advertise", on, every, services, serviceData, manufacturerData, txPower, rssi, strengths, jitter,
            connectable, discoverable)
    }

    static let kind = Kind<SimulatedFleet.Advertising>.mapping(Keys.section) { reader in
        SimulatedFleet.Advertising(
            isOn: reader[Keys.on], interval: reader[Keys.every], services: reader[Keys.services],
            serviceData: keyed(reader[Keys.serviceData], reader.mistakes, "service, for example FCD2,") { UUID($0) },
            manufacturerData: keyed(
                reader[Keys.manufacturerData], reader.mistakes, "company identifier, for example 0x0499,"
            ) {
                $0.hasPrefix("0x") ? UInt16($0.dropFirst(2), radix: 16) : UInt16($0)
            },
            txPower: reader[Keys.txPower].map { Int16($0) }, rssi: Int16(reader[Keys.rssi]),
            strengths: Dictionary(
                reader[Keys.strengths].map { ($0.name, Int16($0.value)) }, uniquingKeysWith: { first, _ in first }),
            jitter: Int16(reader[Keys.jitter]), isConnectable: reader[Keys.connectable],
            isDiscoverable: reader[Keys.discoverable])
    }

    private static func keyed<Name>(
        _ entries: [Named<[[UInt8]]>], _ mistakes: Mistakes, _ what: String, _ name: (String) -> Name?
    ) -> [(Name, [[UInt8]])] {
        entries.compactMap { entry in
            guard let name = name(entry.name), !entry.value.isEmpty else {
                mistakes.report("expected a \(what) with its data, found \(entry.name)", at: entry.position)
                return nil
            }
            return (name, entry.value)
        }
    }
}

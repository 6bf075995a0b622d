import Bluetooth
import Configuration

extension SimulatedFleet.Service {
    enum Keys {
        static let uuid = Key(required: "uuid", .service, example: "181A", "The UUID, or the SIG's name.")
        static let primary = Key("primary", .boolean, default: "true", "Whether the service is primary.")
        static let includes = Key(
            "includes", .list(of: .service), default: "[]", example: "[180F]",
            "The included services, all of the same peripheral.")
        static let characteristics = Key(
            "characteristics", .list(of: SimulatedFleet.Characteristic.kind), default: "[]",
            example: "[{uuid: temperature, value: 21.5, flags: [read]}]", "The characteristics.")

        static let section = Section("service", uuid, primary, includes, characteristics)
    }

    static let kind = Kind<SimulatedFleet.Service>.mapping(Keys.section) { reader in
        let (isPrimary, includes) = (reader[Keys.primary], reader[Keys.includes])
        let characteristics = reader[Keys.characteristics]
        return reader[Keys.uuid].map {
            SimulatedFleet.Service(uuid: $0, isPrimary: isPrimary, includes: includes, characteristics: characteristics)
        }
    }
}

extension SimulatedFleet.Descriptor {
    enum Keys {
        static let uuid = Key(
            required: "uuid", Kind<UUID>.uuid(AssignedNumbers.descriptors, example: "2901"), example: "2901",
            "The UUID, or the SIG's name.")
        static let hex = Key("hex", Kind<[UInt8]>.hexadecimal, example: "0a01", "The value as bytes.")
        static let text = Key("text", .text, example: "Outside", "The value as text.")

        static let section = Section("descriptor", uuid, hex, text)
    }

    static let kind = Kind<SimulatedFleet.Descriptor>.mapping(Keys.section) { reader in
        let bytes = reader[Keys.hex] ?? reader[Keys.text].map { Array($0.utf8) } ?? []
        return reader[Keys.uuid].map { SimulatedFleet.Descriptor(uuid: $0, value: bytes) }
    }
}

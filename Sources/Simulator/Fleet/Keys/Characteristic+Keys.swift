import Bluetooth
import Codec
import Configuration

extension Fleet.Characteristic {
    enum Keys {
        static let uuid = Key(required: "uuid", .characteristic, example: "2A6E", "Its UUID or the SIG's name.")
        static let flags = Key(
            "flags", .list(of: Kind<CharacteristicProperties>.flag), default: "[read]", example: "[read, notify]",
            "What may be done with it, in bluetoothd's words.")
        static let format = Key(
            "format", Format.kind, example: "[{name: level, type: uint16}]",
            "Its fields in wire order; not needed for what the Bluetooth SIG defines.")
        static let value = Key(
            "value", Kind<Curve>.curve.located, example: "{sine: {from: 18, to: 24, over: 10m}}",
            "Its value, or how that moves: a ramp rises and starts again, a sine swings, a walk ({from: 18, to: 24, step: 1}) "
                + "goes a random step with each reading, of a list each reading takes the next. Where there are several "
                + "fields, it has one for each: {temperature: 21, humidity: {list: [40, 41]}}.")
        static let hex = Key(
            "hex", .oneOrMore(.hexadecimal), example: "0a01",
            "Its value as bytes; of a list, each reading takes the next.")
        static let notify = Key(
            "notify", .positiveDuration, example: "1s",
            "How often it notifies; only when it is written if left out.")
        static let mirror = Key(
            "mirror", .characteristic, example: "2A57", "The characteristic that takes over what is written here.")
        static let bond = Key("bond", .boolean, default: "false", "Whether it wants a bond to be read or written.")
        static let readError = Key(
            "read_error", .integer(1...255), example: "0x80", "The ATT error that reading gives.")
        static let writeError = Key(
            "write_error", .integer(1...255), example: "0x13", "The ATT error that writing gives.")
        static let descriptors = Key(
            "descriptors", .list(of: Fleet.Descriptor.kind), default: "[]", example: "[{uuid: 2901, text: Outside}]",
            "Its descriptors; the one that subscribes is there by itself.")

        static let section = Section(
            "characteristic", uuid, flags, format, value, hex, notify, mirror, bond, readError, writeError, descriptors)
    }

    static let kind = Kind<Fleet.Characteristic>.mapping(Keys.section) { reader in
        guard let uuid = reader[Keys.uuid] else { return nil }
        let properties = reader[Keys.flags].reduce(into: CharacteristicProperties()) { $0.formUnion($1) }
        if reader.has(Keys.notify) && !properties.canSubscribe {
            reader.report("what notifies needs the flag notify or indicate", at: Keys.notify)
        }
        return Fleet.Characteristic(
            uuid: uuid, properties: properties, content: content(of: uuid, reader),
            notifyInterval: reader[Keys.notify], readError: reader[Keys.readError].map { UInt8($0) },
            writeError: reader[Keys.writeError].map { UInt8($0) }, needsBond: reader[Keys.bond],
            mirror: reader[Keys.mirror], descriptors: reader[Keys.descriptors])
    }

    private static func content(of uuid: UUID, _ reader: MappingReader) -> Content {
        let format = reader[Keys.format] ?? Characteristics.definition(of: uuid)?.format
        if let series = reader[Keys.hex] {
            if reader.has(Keys.value) { reader.report("give value or hex, not both", at: Keys.hex) }
            return series.isEmpty ? .empty : .bytes(series)
        }
        guard let curve = reader[Keys.value] else { return .empty }
        guard let format else {
            reader.report("a value needs a format, or give its bytes as hex", at: Keys.value)
            return .empty
        }
        // The ends of every movement must fit, and its middle: what has names for the ends alone cannot move.
        for extreme in curve.value.extremes {
            do throws(EncodingError) {
                _ = try format.encode(nearest: extreme)
            } catch {
                reader.report(error.description, at: Keys.value)
                return .empty
            }
        }
        return .values(curve.value, format)
    }
}

extension Kind where Value == CharacteristicProperties {
    fileprivate static var flag: Kind {
        scalar("flag") { text, _ throws(Complaint) in
            let flag = CharacteristicProperties(flags: [text])
            guard !flag.isEmpty else {
                throw Complaint(
                    unknown: "flag", text, among: CharacteristicProperties(rawValue: .max).flags)
            }
            return flag
        }
    }
}

import Bluetooth
import Codec
import Configuration

extension SimulatedFleet.Characteristic {
    enum Keys {
        static let uuid = Key(required: "uuid", .characteristic, example: "2A6E", "The UUID, or the SIG's name.")
        static let flags = Key(
            "flags", .list(of: Kind<CharacteristicProperties>.flag), default: "[read]", example: "[read, notify]",
            "The allowed operations, as bluetoothd names them.")
        static let format = Key(
            "format", Format.kind, example: "[{name: level, type: uint16}]",
            "The fields in wire order. Characteristics of the Bluetooth SIG need no format.")
        static let value = Key(
            "value", Kind<Curve>.curve.located, example: "{sine: {from: 18, to: 24, over: 10m}}",
            "The value, or its course. A ramp rises from one number to the other and starts again. A sine oscillates between "
                + "them. A walk ({from: 18, to: 24, step: 1}) changes by a random step with each reading. A list gives "
                + "each reading its next value. Several fields have one value each: "
                + "{temperature: 21, humidity: {list: [40, 41]}}.")
        static let hex = Key(
            "hex", .oneOrMore(.hexadecimal), example: "0a01",
            "The value as bytes. Readings alternate through a list.")
        static let notify = Key(
            "notify", .positiveDuration, example: "1s",
            "The interval of notifications; default: only when the value is written.")
        static let mirror = Key(
            "mirror", .characteristic, example: "2A57", "The characteristic that receives a copy of each written value."
        )
        static let answers = Key(
            "answers", .list(of: AnswerRule.kind), default: "[]", example: "[{ask: A01F, on: FFF1, send: \"01{1}\"}]",
            "The answers to questions that are written to this characteristic; the first rule for a question applies.")
        static let bond = Key("bond", .boolean, default: "false", "Whether reading and writing need a bond.")
        static let readError = Key(
            "read_error", .integer(1...255), example: "0x80", "The ATT error of each read.")
        static let writeError = Key(
            "write_error", .integer(1...255), example: "0x13", "The ATT error of each write.")
        static let subscribeError = Key(
            "subscribe_error", .integer(1...255), example: "0x03",
            "The ATT error of each write to the Client Characteristic Configuration: no client can subscribe.")
        static let descriptors = Key(
            "descriptors", .list(of: SimulatedFleet.Descriptor.kind), default: "[]",
            example: "[{uuid: 2901, text: Outside}]",
            "The descriptors. Client Characteristic Configuration is added automatically.")

        static let section = Section(
            "characteristic", uuid, flags, format, value, hex, notify, mirror, answers, bond, readError, writeError,
            subscribeError,
            descriptors)
    }

    static let kind = Kind<SimulatedFleet.Characteristic>.mapping(Keys.section) { reader in
        guard let uuid = reader[Keys.uuid] else { return nil }
        let properties = reader[Keys.flags].reduce(into: CharacteristicProperties()) { $0.formUnion($1) }
        if reader.has(Keys.notify) && !properties.canSubscribe {
            reader.report("the key 'notify' needs the flag notify or indicate", at: Keys.notify)
        }
        return SimulatedFleet.Characteristic(
            uuid: uuid, properties: properties, content: content(of: uuid, reader),
            notifyInterval: reader[Keys.notify], readError: reader[Keys.readError].map { UInt8($0) },
            writeError: reader[Keys.writeError].map { UInt8($0) },
            subscribeError: reader[Keys.subscribeError].map { UInt8($0) }, needsBond: reader[Keys.bond],
            mirror: reader[Keys.mirror], answers: reader[Keys.answers], descriptors: reader[Keys.descriptors])
    }

    private static func content(of uuid: UUID, _ reader: MappingReader) -> Content {
        let format = reader[Keys.format] ?? Characteristics.definition(of: uuid)?.format
        if let series = reader[Keys.hex] {
            if reader.has(Keys.value) {
                reader.report("both 'value' and 'hex' are given: remove one of them", at: Keys.hex)
            }
            return series.isEmpty ? .empty : .bytes(series)
        }
        guard let curve = reader[Keys.value] else { return .empty }
        guard let format else {
            reader.report("the value has no format: add 'format', or give the bytes as 'hex'", at: Keys.value)
            return .empty
        }
        // The format must encode the middle too: a format that only has names for both ends cannot change gradually.
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
        scalar("flag") { text, _ throws(InvalidValue) in
            let flag = CharacteristicProperties(flags: [text])
            guard !flag.isEmpty else {
                throw InvalidValue(
                    unknown: "flag", text, among: CharacteristicProperties(rawValue: .max).flags)
            }
            return flag
        }
    }
}

package import Codec

extension Format {
    /// A list of fields in wire order that do not contradict each other.
    package static let kind = located.map { $0.format }

    /// The same with the places of the names that it shows.
    static let located = Kind<Configuration.FormatEntry>("list of field", section: Field.Keys.section) {
        node, mistakes in
        let before = mistakes.reports
        guard let entries = Kind.list(of: Field.kind).read(node, mistakes) else { return nil }
        // A field that is wrong or left out would make others look wrong.
        guard mistakes.reports == before else { return nil }
        do throws(FormatError) {
            let format = Format(entries.map(\.field))
            try format.validate()
            return Configuration.FormatEntry(
                format: mistakes.formats.insert(format).memberAfterInsert, names: entries.flatMap(\.names))
        } catch {
            let position = entries.indices.contains(error.index) ? entries[error.index].position(of: error.key) : nil
            mistakes.report(error.description, at: position ?? node.position)
            return nil
        }
    }
}

extension Field {
    /// A field, and where its keys stand.
    fileprivate struct Entry: Sendable {
        let field: Field
        let position: Position
        let positions: [String: Position]

        func position(of key: String) -> Position {
            positions[key] ?? position
        }

        /// What it shows.
        var names: [Located<String>] {
            let position = position(of: field.bits.isEmpty ? "name" : "bits")
            return field.quantities.map { Located($0.name, at: position) }
        }
    }

    enum Keys {
        static let name = Key(
            required: "name", .text, example: "level", "What the value is called in the reading.")
        static let type = Key(
            required: "type", .fieldType, example: "uint16", "What the bytes are.")
        static let endian = Key(
            "endian", Kind<Endian>.word, default: "little", example: "big", "The order of a number's bytes.")
        static let scale = Key(
            "scale", .number(), default: "1", example: "0.1", "What the raw number is multiplied with.")
        static let offset = Key(
            "offset", .number(), default: "0", example: "-40", "What is added to the scaled number.")
        static let unit = Key("unit", .text, example: "\"%\"", "The unit of the value.")
        static let unknown = Key(
            "unknown", .rawNumbers, default: "[]", example: "0xFFFF",
            "The raw number, or a list of them, that means that the value is not known: published as null.")
        static let bits = Key(
            "bits", .bits, default: "{}", example: "{0: contact, 1-2: level}",
            "Names of single bits, or of ranges of bits, in place of the field's own; bit 0 is the least significant.")
        static let values = Key(
            "values", Kind<NamedValues>.values, example: "{0: closed, 1: open}", "Names of raw numbers.")
        static let length = Key(
            "length", .extent, example: "4",
            "How many bytes a text, raw bytes or a record have: a number, the name of the earlier field that says it, "
                + "or rest; all the rest if left out.")
        static let count = Key(
            "count", .extent, example: "3",
            "How many times the field stands there, as a list: a number, the name of the earlier field that says it, "
                + "or rest.")
        static let when = Key(
            "when", .conditions, default: "[]", example: "contact",
            "The flag of an earlier field, or a list of them, without which the field is not there; not FLAG for one "
                + "that must not be set, FIELD = 2 and FIELD != 2 for numbers.")
        static let optional = Key(
            "optional", .boolean, default: "false", example: "true",
            "Whether the field is there only if bytes are left for it.")
        static let hidden = Key(
            "hidden", .boolean, default: "false", example: "true",
            "Whether the reading leaves the field out: a length, a reserved byte, a number for a formula.")
        static let value = Key(
            "value", Kind<Expression>.expression, example: "contact * 100",
            "A formula over earlier fields, for a number or a boolean that has no bytes: + - * / % << >> & |, "
                + "== != < <= > >=, && ||, min, max, abs, floor, round, pow, if.")
        static let checksum = Key(
            "checksum", Kind<Checksum>.word, example: "crc16",
            "What the number is a checksum of: all bytes of the record before it.")
        static let size = Key(
            "size", .boolean, default: "false", example: "true",
            "Whether the number says how many bytes its record has, itself included.")
        static let fields = Key(
            "fields", .innerFormat, example: "[{name: level, type: uint8}]", "The fields of a record, in wire order.")

        static let section = Section(
            "field", name, type, endian, scale, offset, unit, unknown, bits, values, length, count, when, optional,
            hidden, value, checksum, size, fields)
    }

    fileprivate static let kind = Kind.mapping(Keys.section) { reader in
        // Where one of these is missing, that has been reported, and the format is not used.
        var field = Field(reader[Keys.name] ?? "", reader[Keys.type] ?? .bytes)
        field.endian = reader[Keys.endian]
        field.scale = reader[Keys.scale]
        field.offset = reader[Keys.offset]
        field.unit = reader[Keys.unit]
        field.unknown = reader[Keys.unknown]
        field.bits = reader[Keys.bits]
        field.values = reader[Keys.values]
        field.length = reader[Keys.length]
        field.count = reader[Keys.count]
        field.when = reader[Keys.when]
        field.isOptional = reader[Keys.optional]
        field.isShown = !reader[Keys.hidden]
        field.expression = reader[Keys.value]
        field.checksum = reader[Keys.checksum]
        field.isSizeOfRecord = reader[Keys.size]
        field.record = reader[Keys.fields]
        return Entry(field: field, position: reader.position, positions: reader.positions)
    }
}

extension Kind where Value == Format {
    /// The format of a record inside a format: found when it is needed, since it is the same again.
    fileprivate static var innerFormat: Kind {
        Kind("list of field") { node, mistakes in Format.kind.read(node, mistakes) }
    }
}

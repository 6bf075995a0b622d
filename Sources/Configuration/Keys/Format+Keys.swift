package import Codec

extension Format {
    /// A valid list of fields in wire order.
    package static let kind = located.map { $0.format }

    /// A valid list of fields, with the names in its readings and their positions.
    static let located = Kind<Configuration.FormatEntry>("list of field or constant bytes", section: Field.Keys.section)
    {
        node, mistakes in
        let before = mistakes.reports
        guard let entries = Kind.list(of: Field.item).read(node, mistakes) else { return nil }
        // An invalid field would cause further mistakes in valid fields.
        guard mistakes.reports == before else { return nil }
        guard let fields = fields(of: entries, mistakes) else { return nil }
        do throws(FormatError) {
            let format = Format(fields)
            try format.validate()
            return Configuration.FormatEntry(
                format: mistakes.shared(format), names: entries.flatMap(\.names),
                labels: Dictionary(entries.flatMap(\.labels)) { $1 })
        } catch {
            let position = entries.indices.contains(error.index) ? entries[error.index].position(of: error.key) : nil
            mistakes.report(error.description, at: position ?? node.position)
            return nil
        }
    }
}

extension Format {
    /// Returns the fields with their conditions; nil after a mistake in a condition has been reported.
    private static func fields(of entries: [Field.Entry], _ mistakes: Mistakes) -> [Field]? {
        var fields: [Field] = []
        for entry in entries {
            var field = entry.field
            do throws(InvalidValue) {
                for condition in entry.when { field.when.append(try condition.condition(after: fields)) }
            } catch {
                mistakes.report(error.message, at: entry.position(of: "when"))
                return nil
            }
            fields.append(field)
        }
        return fields
    }
}

extension Configuration {
    /// A format in the file, and the names in its readings with their positions.
    struct FormatEntry {
        let format: Format
        let names: [Located<String>]
        /// How Home Assistant shows the values, by their names in the readings.
        let labels: [String: FieldLabel]
    }
}

extension Field {
    /// A field and the positions of its keys.
    fileprivate struct Entry: Sendable {
        /// The field, still without its conditions.
        let field: Field
        let when: [WrittenCondition]
        let position: Position
        let positions: [String: Position]
        /// How Home Assistant shows the values of the field or of its bits, with their names.
        let labels: [(String, Configuration.FieldLabel)]

        func position(of key: String) -> Position {
            positions[key] ?? position
        }

        /// The names in the reading, with their positions.
        var names: [Located<String>] {
            let position = position(of: field.bits.isEmpty ? "name" : "bits")
            return field.quantities.map { Located($0.name, at: position) }
        }
    }

    enum Keys {
        static let name = Key(
            required: "name", .text, example: "level", "The name of the value in the reading.")
        static let type = Key(
            required: "type", .fieldType, example: "uint16",
            "The data type: \(FieldType.configurable.map(\.word).joined(separator: ", ")).")
        static let endian = Key(
            "endian", Kind<Endian>.endian, default: "little", example: "big", "The byte order of a number.")
        static let scale = Key(
            "scale", .number(), default: "1", example: "0.1", "The factor by which the raw number is multiplied.")
        static let offset = Key(
            "offset", .number(), default: "0", example: "-40", "The number that is added after scaling.")
        static let unit = Key("unit", .unit, example: "\"%\"", "The unit of the value.")
        static let unknown = Key(
            "unknown", .rawNumbers, default: "[]", example: "0xFFFF",
            "The raw number that means that the value is unknown, or a list of such numbers; published as null.")
        static let bits = Key(
            "bits", .bits, default: "{}", example: "{0: contact, 1-2: level}",
            "The names of bits or ranges of bits, which replace the field's name, or a mapping of their keys; bit 0 is the "
                + "least significant.")
        static let values = Key(
            "values", Kind<NamedValues>.values, example: "{0: closed, 1: open}", "The names of raw numbers.")
        static let length = Key(
            "length", .extent, example: "4",
            "The number of bytes of a text, raw bytes or a record: a number, the name of an earlier field that contains "
                + "it, or rest; rest if left out. For a timestamp: 1 to 8, 4 if left out.")
        static let until = Key(
            "until", .terminator, example: "\",\"",
            "The character that ends a field of type decimal or utf8, e.g. the separator of a list in a text. The bytes of the "
                + "last field may end without it.")
        static let count = Key(
            "count", .extent, example: "3",
            "Makes the field a list of this length: a number, the name of an earlier field that contains it, or rest.")
        static let when = Key(
            "when", .conditions, default: "[]", example: "contact",
            "The condition under which the field is present, or a list of conditions that must all hold: FLAG, not FLAG, "
                + "FIELD = 2 or FIELD != 2, where FLAG and FIELD are the names of earlier bits or fields, and 2 may also be "
                + "one of the names in values.")
        static let optional = Key(
            "optional", .boolean, default: "false", example: "true",
            "Whether the field is present only if bytes remain for it.")
        static let hidden = Key(
            "hidden", .boolean, default: "false", example: "true",
            "Whether the reading omits the field, e.g. a length, a reserved byte or a number for a formula.")
        static let value = Key(
            "value", Kind<Expression>.expression, example: "contact * 100",
            "A formula of earlier fields, for a number or a boolean without bytes: + - * / % << >> & |, "
                + "== != < <= > >=, && ||, min, max, abs, floor, round, pow, if.")
        static let checksum = Key(
            "checksum", .checksum, example: "crc16",
            "The algorithm of a checksum over the bytes of the record before it: \(Checksum.named.map(\.name).joined(separator: ", ")), "
                + "or a mapping with the width, poly, init, reflect and xorout of a CRC.")
        static let from = Key(
            "from", .integer(0...511), default: "0", example: "2",
            "The first byte of the record that the checksum covers, from 0.")
        static let plus = Key(
            "plus", .integer(-0xFFFF...0xFFFF), default: "0", example: "1",
            "The number that is added to the result of the checksum.")
        static let size = Key(
            "size", .boolean, default: "false", example: "true",
            "Whether the number is the size of its record in bytes, itself included.")
        static let fields = Key(
            "fields", .innerFormat, example: "[{name: level, type: uint8}]", "The fields of a record, in wire order.")

        static let section = Section(
            "field", name, type, endian, scale, offset, unit, unknown, bits, values, length, until, count, when,
            optional, hidden, value, checksum, from, plus, size, fields, Configuration.FieldLabel.Keys.deviceClass,
            Configuration.FieldLabel.Keys.stateClass, Configuration.FieldLabel.Keys.precision,
            advice: [
                "factor": "did you mean 'scale'?", "multiplier": "did you mean 'scale'?", "divisor": "write scale: 0.1",
                "byte_order": "did you mean 'endian'?",
                "endianness": "did you mean 'endian'?", "enum": "did you mean 'values'?",
                "size_in_bytes": "did you mean 'length'?",
                "if": "did you mean 'when'?", "formula": "did you mean 'value'?",
                "signed": "write type: sint8 or another sint type",
                "position": "the fields are in wire order; a hidden field of type bytes skips bytes",
            ])
    }

    /// A field, constant bytes in hexadecimal digits, or `rest` for bytes without a meaning.
    fileprivate static let item = Kind<Entry>.either("field or constant bytes", section: Keys.section) { node in
        if case .scalar = node.content { return constant }
        return node["hex"] == nil ? kind : conditionalConstant
    }

    private static let constant = Kind<Entry>("constant bytes") { node, mistakes in
        if case .scalar("rest", _) = node.content {
            return Entry(Field.bytes("rest", length: .toTheEnd).hidden, when: [], at: node.position)
        }
        guard case .scalar(let text, _) = node.content, let pattern = BytePattern(text), !text.isEmpty else {
            mistakes.report(
                "expected a field such as \(Keys.section.sample), constant bytes such as \"0A5F\", or rest, found "
                    + node.summary, at: node.position)
            return nil
        }
        return Entry(.constant(pattern), when: [], at: node.position)
    }

    private enum ConstantKeys {
        static let hex = Key(
            required: "hex", Kind<BytePattern>.bytePattern, example: "\"0A5F\"",
            "The bytes in hexadecimal digits; ? stands for any digit, which is written as 0.")
        static let section = Section("constant", hex, Keys.when, example: "{hex: \"0A5F\", when: contact}")
    }

    /// Constant bytes with a condition.
    private static let conditionalConstant = Kind<Entry>.mapping(ConstantKeys.section) { reader in
        let when = reader[Keys.when]
        return reader[ConstantKeys.hex].map { Entry(.constant($0), when: when, at: reader.position) }
    }

    fileprivate static let kind = Kind<Entry>("field", section: Keys.section) { node, mistakes in
        guard let form = longForm(of: node) else { return mapping.read(node, mistakes) }
        mistakes.report("expected a field such as \(form)", at: node.position)
        return nil
    }

    /// Returns the field that `NAME: TYPE` means; nil for any other node.
    private static func longForm(of node: YAMLNode) -> String? {
        guard case .mapping(let entries) = node.content, entries.count == 1, let entry = entries.first,
            case .scalar(let type, _) = entry.value.content, !entry.value.isNull,
            !Keys.section.rows.contains(where: { $0.name == entry.key })
        else { return nil }
        return "{name: \(entry.key), type: \(type)}"
    }

    private static let mapping = Kind<Entry>.mapping(Keys.section) { reader in
        let before = reader.mistakes.reports
        guard let type = reader[Keys.type] else { return nil }
        var field = FieldDescription(reader[Keys.name] ?? "", type)
        field.endian = reader[Keys.endian]
        field.scale = reader[Keys.scale]
        field.offset = reader[Keys.offset]
        field.unit = reader[Keys.unit]
        field.unknown = reader[Keys.unknown]
        let bits = reader[Keys.bits]
        field.bits = bits.map(\.field)
        field.values = reader[Keys.values]
        field.length = reader[Keys.length]
        field.count = reader[Keys.count]
        let when = reader[Keys.when]
        field.isOptional = reader[Keys.optional]
        field.isShown = !reader[Keys.hidden]
        field.formula = reader[Keys.value]
        field.terminator = reader[Keys.until]
        field.checksum = reader[Keys.checksum]
        field.checksum?.first = reader[Keys.from]
        field.checksum?.addend = reader[Keys.plus]
        if !reader.has(Keys.checksum) {
            for key in [Keys.from, Keys.plus] where reader.has(key) {
                reader.report("\(key.row.name) belongs to a checksum: add checksum", at: key)
            }
        }
        field.isSize = reader[Keys.size]
        field.fields = reader[Keys.fields]
        // A key with a wrong value has been reported; its default might contradict the other keys.
        guard reader.mistakes.reports == before else { return nil }
        do throws(FormatError) {
            let label = Configuration.FieldLabel(reader)
            let result = try field.field()
            if let label, bits.isEmpty {
                label.check(result.quantities.first?.form, unit: result.unit, reader)
            } else if label != nil {
                reader.report(
                    "device_class, state_class and precision belong to the single bits, such as "
                        + "{0: {name: open, device_class: door}}", at: Keys.bits)
            }
            return Entry(
                field: result, when: when, position: reader.position, positions: reader.positions,
                labels: bits.compactMap { bit in bit.label.map { (bit.field.name, $0) } }
                    + [label.map { (result.name, $0) }].compactMap { $0 })
        } catch {
            reader.mistakes.report(error.description, at: reader.positions[error.key] ?? reader.position)
            return nil
        }
    }
}

extension Field.Entry {
    /// Creates the entry of a field that has no keys of its own.
    fileprivate init(_ field: Field, when: [WrittenCondition], at position: Position) {
        self.init(field: field, when: when, position: position, positions: [:], labels: [])
    }
}

extension Kind where Value == Format {
    /// The format of a record inside a format.
    ///
    /// The kind is resolved at run time, because the kind of a format refers to itself.
    fileprivate static var innerFormat: Kind {
        Kind("list of field") { node, mistakes in
            let entry = Format.located.read(node, mistakes)
            if let name = entry?.labels.keys.min() {
                mistakes.warn(
                    "device_class, state_class and precision of \(name.quotedForMessage) have no effect here: Home Assistant "
                        + "does not show the fields of a record", at: node.position)
            }
            return entry?.format
        }
    }
}

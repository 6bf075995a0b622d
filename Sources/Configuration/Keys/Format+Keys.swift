package import Codec

extension Format {
    /// A valid list of fields in wire order.
    package static let kind = located.map { $0.format }

    /// A valid list of fields, with the names in its readings and their positions.
    static let located = located(in: FormatContext())

    /// A valid list of fields in a context, with the names in its readings and their positions.
    package static func located(in context: FormatContext) -> Kind<Configuration.FormatEntry> {
        Kind("list of field or constant bytes", section: Field.Keys.section) { node, mistakes in
            let before = mistakes.reports
            var context = context
            if case .sequence(let items) = node.content { context.fieldNames = Set(items.compactMap(\.fieldName)) }
            for name in ExchangeNames.names(in: node) { context.parameters.removeValue(forKey: name) }
            // A text in JSON alone needs no list.
            let item = Field.item(in: context)
            let items = node["json"] == nil ? Kind.list(of: item) : item.map { [$0] }
            guard let all = items.read(node, mistakes) else { return nil }
            // An invalid field would cause further mistakes in valid fields.
            guard mistakes.reports == before else { return nil }
            let entries = all.filter(\.isPresent)
            if entries.isEmpty, !all.isEmpty {
                mistakes.report("the parameters of the device leave no field: change a condition", at: node.position)
                return nil
            }
            check(entries, besides: all.filter { !$0.isPresent }, mistakes)
            guard mistakes.reports == before else { return nil }
            guard let fields = fields(of: entries, context, mistakes) else { return nil }
            do throws(FormatError) {
                let format = Format(fields)
                try format.validate(allowsOuterNames: context.allowsOuterNames)
                return Configuration.FormatEntry(
                    format: mistakes.shared(format), names: entries.flatMap(\.names),
                    outerNames: format.outerNames.map { Located($0.name, at: entries[$0.index].position(of: $0.key)) },
                    labels: Dictionary(entries.flatMap(\.labels)) { $1 },
                    limit: entries.lazy.compactMap(\.limit).first)
            } catch {
                let position =
                    entries.indices.contains(error.index) ? entries[error.index].position(of: error.key) : nil
                mistakes.report(error.description, at: position ?? node.position)
                return nil
            }
        }
    }
}

/// The place of a format in a configuration, on which the meaning of its keys depends.
package struct FormatContext: Sendable {
    /// Whether the format is the layout of a question: the key `value` gives the value of a field with bytes.
    package var isQuestion = false
    /// Whether formulas and conditions can use names from outside of the format.
    ///
    /// The reader of the format checks them: `Mistakes.check(_:among:)`.
    package var allowsOuterNames = false
    /// The parameters of the device whose names no field or bit has; nil: the parameter is a text.
    ///
    /// Formulas, lengths and counts use the numbers in the place of the names. A field whose condition on a parameter does
    /// not hold is left out.
    var parameters: [String: Decimal?] = [:]
    /// The byte order of fields without their own.
    package var endian = Field.Endian.little
    /// The names of all fields in the list: a name such as `cell-count` is no formula.
    fileprivate var fieldNames: Set<String> = []

    package init() {}
}

extension FormatContext {
    /// The parameters that are numbers.
    fileprivate var numbers: [String: Decimal] { parameters.compactMapValues { $0 } }

    /// Returns whether all conditions on parameters hold, and the other conditions.
    fileprivate func resolve(
        _ conditions: [WrittenCondition]
    ) throws(InvalidValue) -> (isPresent: Bool, others: [WrittenCondition]) {
        var (isPresent, others) = (true, [WrittenCondition]())
        for condition in conditions {
            if let holds = try condition.holds(for: parameters) {
                isPresent = isPresent && holds
            } else {
                others.append(condition)
            }
        }
        return (isPresent, others)
    }
}

extension Mistakes {
    /// Reports each name that is not among the known ones.
    package func check(_ names: [Located<String>], among known: [String]) {
        for name in names where !known.contains(name.value) {
            reportUnknown("name", name.value, among: known, at: name.position)
        }
    }
}

extension Format {
    /// Reports names of fields that the parameters of the device leave out, in the other fields.
    private static func check(_ entries: [Field.Entry], besides absent: [Field.Entry], _ mistakes: Mistakes) {
        let missing = Set(absent.flatMap(\.ownNames)).subtracting(entries.flatMap(\.ownNames))
        if missing.isEmpty { return }
        for entry in entries {
            for name in entry.usedNames.intersection(missing).sorted() {
                mistakes.report(
                    "the parameters of the device leave out \(name.quotedForMessage): give this field the same condition",
                    at: entry.position)
            }
        }
    }

    /// Returns the fields with their conditions; nil after a mistake in a condition has been reported.
    private static func fields(
        of entries: [Field.Entry], _ context: FormatContext, _ mistakes: Mistakes
    ) -> [Field]? {
        var fields: [Field] = []
        for entry in entries {
            var field = entry.field
            do throws(InvalidValue) {
                for condition in entry.when {
                    field.when.append(
                        try condition.condition(after: fields, allowsOuterNames: context.allowsOuterNames))
                }
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
    package struct FormatEntry: Sendable {
        package let format: Format
        let names: [Located<String>]
        /// The names from outside of the format, which the reader of the format checks.
        package let outerNames: [Located<String>]
        /// How Home Assistant shows the values, by their names in the readings.
        let labels: [String: FieldLabel]
        /// The first key that has an effect only if the value can be written; nil if there is none.
        let limit: Located<String>?

        /// Warns about `min`, `max` and `step` of a format whose values cannot be written.
        func warnAboutLimits(_ mistakes: Mistakes, _ remedy: String) {
            guard let limit else { return }
            mistakes.warn(
                "\(limit.value) has no effect here: it applies to written values\(remedy)", at: limit.position)
        }
    }
}

extension Field {
    /// A field and the positions of its keys.
    fileprivate struct Entry: Sendable {
        /// The field, still without its conditions.
        let field: Field
        /// The conditions on other fields.
        let when: [WrittenCondition]
        /// Whether the conditions on parameters of the device hold.
        let isPresent: Bool
        let position: Position
        let positions: [String: Position]
        /// How Home Assistant shows the values of the field or of its bits, with their names.
        let labels: [(String, Configuration.FieldLabel)]

        func position(of key: String) -> Position {
            positions[key] ?? position
        }

        private var positionKey: String {
            if case .json = field.content { return "json" }
            return field.bits.isEmpty ? "name" : "bits"
        }

        /// The first of the keys for written values, with its position; nil if there is none.
        var limit: Located<String>? {
            let keys = [Keys.least.row.name, Keys.greatest.row.name, Configuration.FieldLabel.Keys.step.row.name]
            return keys.lazy.compactMap { key in positions[key].map { Located(key, at: $0) } }.first
        }

        /// The names to which later fields can refer.
        var ownNames: [String] { [field.name] + field.bits.map(\.name) }

        /// The names to which the field refers.
        var usedNames: Set<String> { field.referredNames.union(when.map(\.flag)) }

        /// The names in the reading, with their positions.
        var names: [Located<String>] {
            let position = position(of: positionKey)
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
            "endian", Kind<Endian>.endian, default: "little", example: "big",
            "The byte order of a number; word: words of 16 bits, the least significant word first, each in big-endian order "
                + "(Modbus).")
        static let at = Key(
            "at", .integer(0...4095), example: "4",
            "The position of the field's first byte in the value, from 0; after the previous field if left out. Fields with at "
                + "stand in any order. A format with at is only read: it ignores bytes of no field and cannot be written."
        )
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
        static let least = Key(
            "min", .number(), example: "10",
            "The least value that a command can write, after scale and offset; that of the bytes if left out. Readings below "
                + "it are published.")
        static let greatest = Key(
            "max", .number(), example: "90",
            "The greatest value that a command can write, after scale and offset; that of the bytes if left out. Readings above "
                + "it are published.")
        static let length = Key(
            "length", .extent, example: "4",
            "The number of bytes of a text, raw bytes or a record: a number, the name of an earlier field that contains "
                + "it, a formula of earlier fields, or rest; rest if left out. For a timestamp: 1 to 8, 4 if left out.")
        static let until = Key(
            "until", .terminator, example: "\",\"",
            "The character that ends a field of type decimal or utf8, e.g. the separator of a list in a text. The bytes of the "
                + "last field may end without it.")
        static let count = Key(
            "count", .extent, example: "3",
            "Makes the field a list of this length: a number, the name of an earlier field that contains it, a formula of earlier "
                + "fields, or rest.")
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
            "A formula of earlier fields, for a number or a boolean without bytes. Operators: + - * / % << >> & |, "
                + "== != < <= > >=, && ||. Functions of numbers: min, max, clamp, abs, floor, ceil, round, pow, sqrt, exp, ln, if, "
                + "ones (the number of set bits). Functions of a list: min, max, sum, mean, count. Functions of a text: "
                + "crc32(TEXT), digit(TEXT, POSITION).")
        static let checksum = Key(
            "checksum", .checksum, example: "crc16",
            "The algorithm of a checksum over the bytes of the record before it, or a mapping with the width, poly, init, reflect and "
                + "xorout of a CRC. \(Checksum.explanation)")
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
            "fields", Format.inner(in: FormatContext()), example: "[{name: level, type: uint8}]",
            "The fields of a record, in wire order.")
        static let json = Key(
            "json", Kind<Configuration.JSONEntry>.json, example: "[{name: temperature, unit: \"°C\"}]",
            "The values in a text in JSON that reaches to the end of the bytes. The key stands alone, without name and type, and "
                + "format needs no list for it: format: {json: [{name: temperature}]}.")

        /// The advice about keys for bytes without a meaning.
        private static let skippedBytes =
            "write the bytes that are ignored as {name: NAME, type: bytes, length: 2, hidden: true}"

        static let section = Section(
            "field", name, type, at, endian, scale, offset, unit, unknown, bits, values, least, greatest,
            Configuration.FieldLabel.Keys.step, length, until, count, when, optional, hidden, value, checksum, from,
            plus, size, fields, json, Configuration.FieldLabel.Keys.deviceClass,
            Configuration.FieldLabel.Keys.stateClass, Configuration.FieldLabel.Keys.precision,
            Configuration.EntityLabel.Keys.title, Configuration.EntityLabel.Keys.icon,
            Configuration.EntityLabel.Keys.enabled,
            advice: [
                "sign":
                    "write type: sint16 or another sint type; a sign bit is a bit of its own: type: uint16, bits: {0-14: size, "
                    + "15: negative}, and a field with type: number, value: \"if(negative, 0 - size, size)\"",
                "base": "only decimal digits are a number: write type: utf8, or bytes for hexadecimal digits",
                "radix": "only decimal digits are a number: write type: utf8, or bytes for hexadecimal digits",
                "divide_by": "write scale: 0.1", "decimals": "did you mean 'precision'?",
                "round": "did you mean 'precision'?", "digits": "did you mean 'precision'?",
                "byte": "did you mean 'at'?", "index": "did you mean 'at'?", "bytes": "did you mean 'length'?",
                "max_length": "did you mean 'length'?", "shift": "write bits: {4-7: NAME}",
                "invert": "write a field with type: boolean, value: NAME == 0, after a hidden one",
                "inverted": "write a field with type: boolean, value: NAME == 0, after a hidden one",
                "map": "did you mean 'values'?", "mapping": "did you mean 'values'?",
                "lookup": "did you mean 'values'?",
                "states": "did you mean 'values'?", "options": "did you mean 'values'?",
                "invalid": "did you mean 'unknown'?", "null": "did you mean 'unknown'?",
                "nan": "did you mean 'unknown'?", "na": "did you mean 'unknown'?",
                "not_available": "did you mean 'unknown'?", "expression": "did you mean 'value'?",
                "calc": "did you mean 'value'?", "template": "write a formula: type: number, value: \"NAME / 10\"",
                "value_template": "write a formula: type: number, value: \"NAME / 10\"",
                "lambda": "write a formula: type: number, value: \"NAME / 10\"",
                "unit_of_measurement": "did you mean 'unit'?", "uom": "did you mean 'unit'?",
                "range": "write min and max", "minimum": "did you mean 'min'?", "maximum": "did you mean 'max'?",
                "label": "did you mean 'title'?", "description": "did you mean 'title'?",
                "friendly_name": "did you mean 'title'?",
                "encoding": "the type is the encoding: utf8, utf16, decimal for digits, or bytes",
                "charset": "the type is the encoding: utf8, utf16, decimal for digits, or bytes",
                "format": "did you mean 'type'?", "kind": "did you mean 'type'?", "data_type": "did you mean 'type'?",
                "repeat": "did you mean 'count'?", "array": "did you mean 'count'?", "items": "did you mean 'count'?",
                "swap": "write endian: big", "reverse": "write endian: big", "crc": "did you mean 'checksum'?",
                "trim": "bytes after a NUL are left out; spaces stay: remove the key",
                "const": "write constant bytes as an item of the list, e.g. \"0A5F\"",
                "constant": "write constant bytes as an item of the list, e.g. \"0A5F\"",
                "fixed": "write constant bytes as an item of the list, e.g. \"0A5F\"",
                "padding": Self.skippedBytes, "pad": Self.skippedBytes, "reserved": Self.skippedBytes,
                "ignore": Self.skippedBytes, "condition": "did you mean 'when'?",
                "default": "a field that is missing has no value: remove the key",
                "category": "it follows from the device class: remove the key",
                "entity_category": "it follows from the device class: remove the key",
                "visible": "did you mean 'hidden'?", "show": "did you mean 'hidden'?",
                "disabled": "write enabled: false",
                "factor": "did you mean 'scale'?", "multiplier": "did you mean 'scale'?",
                "multiply": "did you mean 'scale'?", "divisor": "write scale: 0.1", "divide": "write scale: 0.1",
                "byte_order": "did you mean 'endian'?", "bigendian": "write endian: big",
                "big_endian": "write endian: big", "separator": "did you mean 'until'?",
                "delimiter": "did you mean 'until'?", "epoch": "write offset: SECONDS, e.g. 946684800 for 2000-01-01",
                "endianness": "did you mean 'endian'?", "enum": "did you mean 'values'?",
                "size_in_bytes": "did you mean 'length'?", "mask": "write bits: {0-3: NAME}",
                "skip": Self.skippedBytes,
                "if": "did you mean 'when'?", "formula": "did you mean 'value'?",
                "signed": "write type: sint8 or another sint type",
                "position": "did you mean 'at'?", "start": "did you mean 'at'?", "address": "did you mean 'at'?",
            ])
    }

    /// A field, constant bytes in hexadecimal digits, or `rest` for bytes without a meaning.
    fileprivate static func item(in context: FormatContext) -> Kind<Entry> {
        .either("field or constant bytes", section: Keys.section) { node in
            if case .scalar = node.content { return constant }
            if node["json"] != nil { return json }
            return node["hex"] == nil ? kind(in: context) : conditionalConstant(in: context)
        }
    }

    /// A text in JSON.
    private static let json = Kind<Entry>.mapping(Section("text in JSON", Keys.json)) { reader in
        reader[Keys.json].map { entry in
            Entry(
                field: .json(entry.members), when: [], isPresent: true, position: reader.position,
                positions: reader.positions, labels: entry.labels)
        }
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
    private static func conditionalConstant(in context: FormatContext) -> Kind<Entry> {
        .mapping(ConstantKeys.section) { reader in
            let when = reader[Keys.when]
            guard let hex = reader[ConstantKeys.hex] else { return nil }
            do throws(InvalidValue) {
                let (isPresent, others) = try context.resolve(when)
                return Entry(.constant(hex), when: others, isPresent: isPresent, at: reader.position)
            } catch {
                reader.report(error.message, at: Keys.when)
                return nil
            }
        }
    }

    private static func kind(in context: FormatContext) -> Kind<Entry> {
        Kind("field", section: Keys.section) { node, mistakes in
            guard let form = longForm(of: node) else {
                return Kind.mapping(Keys.section) { entry($0, in: context) }.read(node, mistakes)
            }
            mistakes.report("expected a field such as \(form)", at: node.position)
            return nil
        }
    }

    /// Returns the field that `NAME: TYPE` means; nil for any other node.
    private static func longForm(of node: YAMLNode) -> String? {
        guard case .mapping(let entries) = node.content, entries.count == 1, let entry = entries.first,
            case .scalar(let type, _) = entry.value.content, !entry.value.isNull,
            !Keys.section.rows.contains(where: { $0.name == entry.key })
        else { return nil }
        if ["skip", "ignore", "pad", "reserved"].contains(entry.key) {
            return "{name: \(entry.key), type: bytes, length: \(type), hidden: true}"
        }
        if ["bytes", "utf8"].contains(entry.key) { return "{name: NAME, type: \(entry.key), length: \(type)}" }
        if ["constant", "const", "fixed"].contains(entry.key) { return "\"\(type)\"" }
        return "{name: \(entry.key), type: \(type)}"
    }

    private static func entry(_ reader: MappingReader, in context: FormatContext) -> Entry? {
        let before = reader.mistakes.reports
        guard let type = reader[Keys.type] else { return nil }
        var field = FieldDescription(reader[Keys.name] ?? "", type)
        field.endian = reader.has(Keys.endian) ? reader[Keys.endian] : context.endian
        field.scale = reader[Keys.scale]
        field.offset = reader[Keys.offset]
        field.unit = reader[Keys.unit]
        field.unknown = reader[Keys.unknown]
        let bits = reader[Keys.bits]
        field.bits = bits.map(\.field)
        field.values = reader[Keys.values]
        field.least = reader[Keys.least]
        field.greatest = reader[Keys.greatest]
        let (isPresent, when) = conditions(reader, in: context)
        // A number such as 0 is the reason that the field is left out.
        let numbers = isPresent ? context.numbers : [:]
        field.length = extent(reader, Keys.length, context, numbers)
        field.count = extent(reader, Keys.count, context, numbers)
        field.position = reader[Keys.at].map { UInt16($0) }
        field.isOptional = reader[Keys.optional]
        field.isShown = !reader[Keys.hidden]
        field.formula = reader[Keys.value]?.replacing(context.numbers)
        field.isInQuestion = context.isQuestion
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
        let inner = reader.node(of: Keys.fields).flatMap { node in
            node.isNull ? nil : Format.inner(in: context).read(node, reader.mistakes)
        }
        field.fields = inner?.format
        // A key with a wrong value has been reported; its default might contradict the other keys.
        guard reader.mistakes.reports == before else { return nil }
        do throws(FormatError) {
            let label = Configuration.FieldLabel(ofField: reader)
            let result = try field.field()
            if let label, bits.isEmpty {
                label.check(result.quantities.first?.shownForm, unit: result.unit, reader)
            } else if label != nil {
                reader.report(
                    "the keys for Home Assistant belong to the single bits, such as {0: {name: open, device_class: door}}",
                    at: Keys.bits)
            }
            return Entry(
                field: result, when: when, isPresent: isPresent, position: reader.position, positions: reader.positions,
                labels: bits.compactMap { bit in bit.label.map { (bit.field.name, $0) } }
                    + [label.map { (result.name, $0) }].compactMap { $0 }
                    + (inner?.labels ?? [:]).map { name, label in
                        (Configuration.FieldLabel.name(of: name, in: result.name), label)
                    })
        } catch {
            reader.mistakes.report(error.description, at: reader.positions[error.key] ?? reader.position)
            return nil
        }
    }

    /// Returns whether the conditions on parameters hold, and the other conditions.
    private static func conditions(
        _ reader: MappingReader, in context: FormatContext
    ) -> (isPresent: Bool, others: [WrittenCondition]) {
        do throws(InvalidValue) {
            return try context.resolve(reader[Keys.when])
        } catch {
            reader.report(error.message, at: Keys.when)
            return (true, [])
        }
    }

    /// Returns a length or a count with numbers in the place of parameters.
    private static func extent(
        _ reader: MappingReader, _ key: Key<Extent?>, _ context: FormatContext, _ numbers: [String: Decimal]
    ) -> Extent? {
        guard let extent = reader[key]?.named(among: context.fieldNames) else { return nil }
        do throws(InvalidValue) {
            return try extent.replacing(numbers)
        } catch {
            reader.report(error.message, at: key)
            return nil
        }
    }
}

extension YAMLNode {
    /// The name of a field in a format; nil if the node has none.
    fileprivate var fieldName: String? {
        if case .scalar(let name, _)? = self["name"]?.content { name } else { nil }
    }
}

extension Extent {
    /// Returns the field in the place of a formula whose text is the name of a field, such as `cell-count`.
    fileprivate func named(among names: Set<String>) -> Extent {
        if case .formula(let formula) = self, names.contains(formula.text) { .field(formula.text) } else { self }
    }

    /// Returns the same extent with numbers in the place of names.
    ///
    /// - Throws: `InvalidValue` if the result does not depend on a field, and is no possible length or count.
    fileprivate func replacing(_ numbers: [String: Decimal]) throws(InvalidValue) -> Extent {
        let formula: Expression
        switch self {
        case .field(let name):
            guard let number = numbers[name] else { return self }
            return .exactly(try Self.number(number, name))
        case .formula(let original): formula = original.replacing(numbers)
        case .exactly, .toTheEnd: return self
        }
        guard formula.names.isEmpty else { return .formula(formula) }
        guard let number = try? formula.number(in: Environment()) else {
            throw "\(formula.text.quotedForMessage) has no result"
        }
        return .exactly(try Self.number(number, formula.text))
    }

    /// Returns a number of bytes or elements that does not depend on the bytes.
    private static func number(_ number: Decimal, _ text: String) throws(InvalidValue) -> Int {
        guard let whole = number.integer, possible.contains(whole) else {
            throw
                "expected a whole number from \(possible.lowerBound) to \(possible.upperBound), but \(text) is \(number)"
        }
        return whole
    }
}

extension Field.Entry {
    /// Creates the entry of a field that has no keys of its own.
    fileprivate init(
        _ field: Field, when: [WrittenCondition], isPresent: Bool = true, at position: Position
    ) {
        self.init(field: field, when: when, isPresent: isPresent, position: position, positions: [:], labels: [])
    }
}

extension Format {
    /// The format of a record inside a format.
    ///
    /// The kind is resolved at run time, because the kind of a format refers to itself.
    fileprivate static func inner(in context: FormatContext) -> Kind<Configuration.FormatEntry> {
        Kind("list of field") { node, mistakes in located(in: context).read(node, mistakes) }
    }
}

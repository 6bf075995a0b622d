import Codec

extension Kind where Value == FieldType {
    static var fieldType: Kind {
        let words = FieldType.configurable.map(\.word)
        return scalar("type") { text, _ throws(InvalidValue) in
            guard let type = FieldType(text) else {
                if let meant = withByteOrder(text.lowercased()) {
                    throw "unknown type \(text.quotedForMessage): write \(meant)"
                }
                if let word = typesElsewhere[text.lowercased()] {
                    throw "unknown type \(text.quotedForMessage): did you mean \(word.quotedForMessage)?"
                }
                throw InvalidValue(unknown: "type", text, among: words)
            }
            return type
        }
    }
}

/// Returns the keys for a type with a byte order, such as `uint16_le` or `u16be`; nil for any other text.
private func withByteOrder(_ text: String) -> String? {
    let letters = text.filter { $0 != "_" && $0 != "-" }
    let orders = [("le", ""), ("be", ", endian: big"), ("little", ""), ("big", ", endian: big")]
    for (order, key) in orders {
        var rests: [String] = []
        if letters.hasSuffix(order) { rests.append(String(letters.dropLast(order.count))) }
        if letters.hasPrefix(order) { rests.append(String(letters.dropFirst(order.count))) }
        for rest in rests {
            let name = typesElsewhere[rest] ?? rest
            guard FieldType(name) != nil else { continue }
            return key.isEmpty ? "type: \(name) (little is the default order)" : "type: \(name)\(key)"
        }
    }
    return nil
}

/// The types of a configuration, by their names in programming languages and other programs, in lower case.
private let typesElsewhere = [
    "int8": "sint8", "int16": "sint16", "int24": "sint24", "int32": "sint32", "int64": "sint64", "s8": "sint8",
    "s16": "sint16", "s32": "sint32", "i8": "sint8", "i16": "sint16", "i32": "sint32", "i64": "sint64", "u8": "uint8",
    "u16": "uint16", "u32": "uint32", "u64": "uint64", "uint8_t": "uint8", "uint16_t": "uint16", "uint32_t": "uint32",
    "int8_t": "sint8", "int16_t": "sint16", "int32_t": "sint32", "byte": "uint8", "char": "uint8", "short": "sint16",
    "word": "uint16", "int": "sint32", "integer": "sint32", "long": "sint32", "uint": "uint32", "float": "float32",
    "double": "float64", "half": "float16", "sfloat": "medfloat16", "bool": "boolean", "string": "utf8", "str": "utf8",
    "text": "utf8", "ascii": "utf8", "cstring": "utf8z", "hex": "bytes", "raw": "bytes", "binary": "bytes",
    "datetime": "date_time", "unixtime": "timestamp", "epoch": "timestamp", "mac": "address", "struct": "record",
    "object": "record", "formula": "number",
]

extension Kind where Value == Field.Endian {
    static var endian: Kind {
        scalar("little | big") { text, _ throws(InvalidValue) in
            if let endian = Value(rawValue: text) { return endian }
            let elsewhere: [String: Value] = [
                "be": .big, "msb": .big, "bigendian": .big, "le": .little, "lsb": .little, "littleendian": .little,
            ]
            let meant = elsewhere[text.lowercased().filter { $0.isLetter }] ?? Value(rawValue: text.lowercased())
            guard let meant else { throw InvalidValue(expected: ["little", "big"], found: text) }
            throw
                "expected little or big, found \(text.quotedForMessage): did you mean \(meant.rawValue.quotedForMessage)?"
        }
    }
}

extension Kind where Value == [Int128] {
    /// One raw number, or a list of raw numbers.
    static var rawNumbers: Kind {
        let one = Kind<Int128>.scalar("whole number") { text, isPlain throws(InvalidValue) in
            guard isPlain else {
                throw "expected a whole number, found \(text.quotedForMessage) in quotes: remove the quotes"
            }
            return try Int128(yaml: text)
        }
        return .oneOrMore(one)
    }
}

extension Kind where Value == [WrittenCondition] {
    /// One condition, or a list of conditions.
    static var conditions: Kind {
        .oneOrMore(Kind<String>.text.map("flag") { text throws(InvalidValue) in WrittenCondition(text) })
    }
}

extension Kind where Value == Expression {
    static var expression: Kind {
        Kind<String>.text.map("formula") { text throws(InvalidValue) in
            do throws(ExpressionError) {
                return try Expression(text)
            } catch {
                throw InvalidValue(stringLiteral: error.description)
            }
        }
    }
}

extension Kind where Value == [Configuration.BitEntry] {
    /// Bits or ranges of bits, each with a name or a mapping of its properties.
    static var bits: Kind {
        let one = Kind<Configuration.BitEntry>.either("name, or mapping") { node in
            if case .mapping = node.content { return BitField.kind }
            return Kind<String>.text.map { Configuration.BitEntry(field: BitField($0, 0...0)) }
        }
        return Kind("mapping of bits to names", section: BitField.kind.section) { node, mistakes in
            Kind<[Named<Configuration.BitEntry>]>.named(one, form: "BIT: NAME, such as {0: contact}").read(
                node, mistakes)?.compactMap { entry in
                    do throws(InvalidValue) {
                        var bits = entry.value
                        bits.field.range = try range(of: entry.name)
                        return bits
                    } catch {
                        mistakes.report(error.message, at: entry.position)
                        return nil
                    }
                }
        }
    }

    private static func range(of text: String) throws(InvalidValue) -> ClosedRange<Int> {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int(digits: $0) }
        switch (ends.first ?? nil, ends.last ?? nil) {
        case (let low?, let high?) where ends.count <= 2 && 0 <= low && low <= high && high < 64: return low...high
        default: throw "expected a bit from 0 to 63, or a range such as 1-3, found \(text.quotedForMessage)"
        }
    }
}

extension Kind where Value == NamedValues {
    /// A mapping of raw numbers to their names.
    static var values: Kind {
        Kind("mapping of numbers to names") { node, mistakes in
            let names = Kind<[Named<String>]>.named(.text, form: "NUMBER: NAME, such as {0: closed, 1: open}").read(
                node, mistakes)
            return names.map { NamedValues(numbers(in: $0, mistakes)) }
        }
    }

    private static func numbers(in names: [Named<String>], _ mistakes: Mistakes) -> [Int: String] {
        var numbers: [Int: String] = [:]
        for entry in names {
            do throws(InvalidValue) {
                if Int(entry.name) == nil, Int(entry.value) != nil {
                    throw "expected the number first: \(entry.value): \(entry.name)"
                }
                let number = try Int(yaml: entry.name)
                guard numbers.updateValue(entry.value, forKey: number) == nil else {
                    throw "duplicate number \(number): it has a name above"
                }
            } catch {
                mistakes.report(error.message, at: entry.position)
            }
        }
        return numbers
    }
}

extension Kind where Value == Extent {
    /// A number, the name of an earlier field that contains the number, or `rest`.
    static var extent: Kind {
        let number = Kind<Int>.integer(1...512).map { Value.exactly($0) }
        let name = Kind<String>.text.map { $0 == "rest" ? Value.toTheEnd : .field($0) }
        return .either("whole number | field | rest") { node in
            guard case .scalar(let text, _) = node.content, text.first?.isLetter ?? false else { return number }
            return name
        }
    }
}

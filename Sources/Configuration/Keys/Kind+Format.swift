import Codec

extension Kind where Value == FieldType {
    static var fieldType: Kind {
        let words = FieldType.configurable.map(\.word)
        return scalar("type") { text, _ throws(InvalidValue) in
            guard let type = FieldType(text) else {
                if let advice = advice(aboutType: text.lowercased()) ?? withCount(text.lowercased()) ?? packed(text) {
                    throw "unknown type \(text.quotedForMessage): \(advice)"
                }
                if let meant = withByteOrder(text.lowercased()) {
                    throw "unknown type \(text.quotedForMessage): write \(meant)"
                }
                if let word = typesElsewhere[plainName(ofType: text.lowercased())] {
                    throw "unknown type \(text.quotedForMessage): did you mean \(word.quotedForMessage)?"
                }
                throw InvalidValue(unknown: "type", text, among: words)
            }
            return type
        }
    }
}

/// Returns the name of a type of C without the words that change nothing: `unsigned short int` is `ushort`.
private func plainName(ofType text: String) -> String {
    var words = text.split { " _-".contains($0) }.map(String.init)
    let isUnsigned = words.contains("unsigned")
    words.removeAll { ["signed", "unsigned"].contains($0) }
    if words.count > 1 { words.removeAll { $0 == "int" } }
    guard isUnsigned || words.count > 1 else { return words.first ?? text }
    return (isUnsigned ? "u" : "") + (words.isEmpty ? "int" : words.joined(separator: words.last == "t" ? "_" : ""))
}

/// Returns what to write in the place of a type that no single type replaces; nil for any other text.
private func advice(aboutType text: String) -> String? {
    switch text {
    case "bit", "bits", "flag", "flags", "bitmask", "bitfield", "enum":
        return "write type: uint8 with the key bits, such as bits: {0: contact}, or with the key values"
    case _ where text.hasPrefix("bcd"): return "write type: bytes: digits of four bits are hexadecimal digits"
    case "skip", "pad", "padding", "reserved", "ignore", "dummy":
        return "write the bytes that are ignored as {name: NAME, type: bytes, length: 2, hidden: true}"
    case "checksum", "crc", "crc8", "crc16", "crc32":
        return "write the type of its bytes, such as uint16, and checksum: crc16"
    case "json": return "write {json: [{name: NAME}]} in the place of name and type"
    case "percent", "percentage", "temperature", "humidity", "voltage", "number", "numeric", "value", "sensor":
        return "write the type of the bytes, such as uint16, and unit: UNIT"
    case "uint128", "int128", "sint128": return "write type: bytes, length: 16"
    case "array", "list": return "write the type of one item, and its number: count: 4"
    default:
        // Numbers of some bits of a byte, such as `uint12`.
        guard let digits = ["uint", "sint", "int", "u"].first(where: text.hasPrefix).map({ text.dropFirst($0.count) }),
            let count = Int(digits), count < 64, !count.isMultiple(of: 8), count > 0
        else { return nil }
        let size = (count / 8 + 1) * 8
        let name = text.hasPrefix("u") ? "NAME" : "{name: NAME, signed: true}"
        return "write type: uint\(size), bits: {0-\(count - 1): \(name)}"
    }
}

/// Returns the keys for a type with a number of items, such as `string(8)` or `uint16[4]`; nil for any other text.
private func withCount(_ text: String) -> String? {
    let (name, rest) = (text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }, text.drop { !"([".contains($0) })
    guard !name.isEmpty, let count = Int(rest.dropFirst().dropLast()), rest.last == ")" || rest.last == "]" else {
        return nil
    }
    let type = name == "char" ? "utf8" : typesElsewhere[String(name)] ?? String(name)
    guard FieldType(type) != nil else { return nil }
    return "write type: \(type), \(["utf8", "utf16", "bytes"].contains(type) ? "length" : "count"): \(count)"
}

/// Returns the keys for a letter of Python's struct with a byte order, such as `<H`; nil for any other text.
private func packed(_ text: String) -> String? {
    let letters = [
        "b": "sint8", "B": "uint8", "h": "sint16", "H": "uint16", "i": "sint32", "l": "sint32", "I": "uint32",
        "L": "uint32", "q": "sint64", "Q": "uint64", "e": "float16", "f": "float32", "d": "float64", "?": "boolean",
    ]
    guard text.count <= 2, let letter = text.last, let type = letters[String(letter)] else { return nil }
    if text.count == 1 { return "write type: \(type)" }
    guard let order = text.first, "<>!=@".contains(order) else { return nil }
    return "write type: \(type)\(">!".contains(order) ? ", endian: big" : "")"
}

/// Returns the keys for a type with a byte order, such as `uint16_le` or `u16be`; nil for any other text.
private func withByteOrder(_ text: String) -> String? {
    let letters = plainName(ofType: text).filter { $0 != "_" && $0 != "-" && $0 != " " }
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
    "uchar": "uint8", "ubyte": "uint8", "ushort": "uint16", "ulong": "uint32", "longlong": "sint64",
    "ulonglong": "uint64", "dword": "uint32", "qword": "uint64", "f16": "float16", "f32": "float32", "f64": "float64",
    "single": "float32", "longdouble": "float64", "utf16le": "utf16",
    "word": "uint16", "int": "sint32", "integer": "sint32", "long": "sint32", "uint": "uint32", "float": "float32",
    "double": "float64", "half": "float16", "sfloat": "medfloat16", "bool": "boolean", "string": "utf8", "str": "utf8",
    "text": "utf8", "ascii": "utf8", "cstring": "utf8z", "hex": "bytes", "raw": "bytes", "binary": "bytes",
    "datetime": "date_time", "unixtime": "timestamp", "epoch": "timestamp", "mac": "address", "struct": "record",
    "object": "record", "formula": "number", "sbyte": "sint8", "schar": "sint8", "signed": "sint16", "blob": "bytes",
    "buffer": "bytes", "opaque": "bytes", "octets": "bytes", "unix": "timestamp", "time": "timestamp",
    "unixtimestamp": "timestamp", "real": "float32", "float11073": "medfloat32", "ieee11073": "medfloat32",
    "sfloat16": "medfloat16", "union": "record", "dictionary": "record", "latin1": "utf8", "iso88591": "utf8",
    "charstring": "utf8", "varchar": "utf8", "guid": "uuid", "macaddress": "address", "fixedpoint": "sint16",
]

extension Kind where Value == Field.Endian {
    static var endian: Kind {
        endian(among: [.little, .big, .word])
    }

    /// The byte order of a number that is not part of a format.
    static var plainEndian: Kind {
        endian(among: [.little, .big])
    }

    private static func endian(among known: [Field.Endian]) -> Kind {
        let words = known.map(\.rawValue)
        let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
        return scalar(words.joined(separator: " | ")) { text, _ throws(InvalidValue) in
            if let endian = known.first(where: { $0.rawValue == text }) { return endian }
            let elsewhere: [String: Value] = [
                "be": .big, "msb": .big, "bigendian": .big, "le": .little, "lsb": .little, "littleendian": .little,
                "network": .big, "motorola": .big, "intel": .little, "mixed": .word, "middle": .word, "modbus": .word,
                "swapped": .word, "swap": .word,
            ]
            let lowercase = text.lowercased()
            let word = elsewhere[lowercase.filter { $0.isLetter }].flatMap { known.contains($0) ? $0 : nil }
            let meant = word ?? known.first { $0.rawValue == lowercase }
            guard let meant else { throw InvalidValue(expected: words, found: text) }
            throw
                "expected \(list), found \(text.quotedForMessage): did you mean \(meant.rawValue.quotedForMessage)?"
        }
    }
}

extension Kind where Value == [Int128] {
    /// One raw number, or a list of raw numbers.
    static var rawNumbers: Kind {
        let one = Kind<Int128>.scalar("whole number") { text, isPlain throws(InvalidValue) in
            let number = try Int128(yaml: text)
            guard isPlain else {
                throw "expected a whole number, found \(text.quotedForMessage) in quotes: remove the quotes"
            }
            return number
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
                        if Int(digits: entry.name[...]) == nil, let bit = Int(bits.field.name),
                            entry.name.first?.isLetter == true,
                            meant(by: entry.name) == nil
                        {
                            throw "expected the bit first: \(bit): \(entry.name)"
                        }
                        bits.field.range = try range(of: entry.name)
                        try bits.applyLimits()
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
        default:
            let advice = meant(by: text).map { ": did you mean \($0)?" } ?? ""
            throw InvalidValue(
                stringLiteral:
                    "expected a bit from 0 to 63, or a range such as 1-3, found \(text.quotedForMessage)\(advice)")
        }
    }
}

extension Kind where Value == [Configuration.BitEntry] {
    /// Returns the bit or the range that a text such as `0..3`, `[0-3]`, `bit3` or `0x08` (a mask) probably means; nil for any
    /// other text.
    private static func meant(by text: String) -> String? {
        if text.hasPrefix("0x"), let mask = UInt64(text.dropFirst(2), radix: 16), mask != 0 {
            let (first, last) = (mask.trailingZeroBitCount, 63 - mask.leadingZeroBitCount)
            guard mask.nonzeroBitCount == last - first + 1 else { return nil }
            return first == last ? "\(first)" : "\(first)-\(last)"
        }
        let isNamed = ["bit", "b"].contains(text.lowercased().prefix { $0.isLetter })
        let ends = text.drop { isNamed && $0.isLetter }.split { ".:…-[] _".contains($0) }.map { Int(digits: $0) }
        guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil, max(first, last) < 64 else {
            return nil
        }
        return first == last ? "\(first)" : "\(min(first, last))-\(max(first, last))"
    }
}

extension Configuration.BitEntry {
    /// Restricts the values that can be written to `min` and `max`.
    fileprivate mutating func applyLimits() throws(InvalidValue) {
        guard least != nil || greatest != nil else { return }
        let key = least == nil ? "max" : "min"
        guard field.meaning.values == nil, !field.isBoolean else {
            throw InvalidValue(stringLiteral: "\(key): only numbers without names have limits")
        }
        let limits = Limits(from: least, to: greatest, of: field.meaning, in: field.limits)
        if let problem = limits?.problem { throw InvalidValue(stringLiteral: "\(problem.key): \(problem.message)") }
        limits?.apply(to: &field.meaning)
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

    private static func number(_ name: String) throws(InvalidValue) -> Int {
        switch name.lowercased() {
        case "true", "on", "yes": throw "expected a raw number, found \(name.quotedForMessage): write 1"
        case "false", "off", "no": throw "expected a raw number, found \(name.quotedForMessage): write 0"
        case "default", "else", "other", "others", "*":
            throw "expected a raw number, found \(name.quotedForMessage): a number without a name stays a number"
        default: break
        }
        let isRange = name.first?.isNumber == true && name.dropFirst().contains { "-.~:".contains($0) }
        guard !isRange, !"<>=".contains(name.first ?? " ") else {
            throw
                "expected a raw number, found \(name.quotedForMessage): each number has a name of its own; for a range, use a formula such as value: \"NAME < 5\""
        }
        return try Int(yaml: name)
    }

    private static func numbers(in names: [Named<String>], _ mistakes: Mistakes) -> [Int: String] {
        var numbers: [Int: String] = [:]
        for entry in names {
            do throws(InvalidValue) {
                if Int(entry.name) == nil, Int(entry.value) != nil {
                    throw "expected the number first: \(entry.value): \(entry.name)"
                }
                let number = try number(entry.name)
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

extension Extent {
    /// The lengths and counts that a format can give as numbers.
    static let possible = 1...Configuration.Characteristic.longestValue
}

extension Kind where Value == Extent {
    /// A number, the name of an earlier field that contains the number, or `rest`.
    static var extent: Kind {
        let number = Kind<Int>.integer(Extent.possible).map { Value.exactly($0) }
        let name = Kind<String>.text.map { $0 == "rest" ? Value.toTheEnd : .field($0) }
        let formula = Kind<Expression>.expression.map { Value.formula($0) }
        return .either("whole number | field | formula | rest") { node in
            guard case .scalar(let text, _) = node.content else { return number }
            if text.contains(where: { "+-*/%<>&|(".contains($0) }), Int(text) == nil { return formula }
            return text.first?.isLetter ?? false ? name : number
        }
    }
}

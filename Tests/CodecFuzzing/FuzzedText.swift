/// The YAML of a format that bytes determine, as people write it: mostly valid, sometimes not.
struct FuzzedText {
    private var source: ArraySlice<UInt8>
    private var count = 0

    init(_ bytes: ArraySlice<UInt8>) {
        source = bytes
    }

    /// Returns a list of fields; one in eight has wrong characters after it.
    mutating func list(depth: Int = 0) -> String {
        let fields = (0...next(4)).map { _ in field(depth: depth) }
        let list = "[" + fields.joined(separator: ", ") + "]"
        return next(8) == 1 ? list + damage() : list
    }

    private mutating func field(depth: Int) -> String {
        count += 1
        var members = ["name: f\(count)", "type: \(Self.types[next(Self.types.count)])"]
        if depth < 4, next(6) == 1 {
            members[1] = "type: record"
            members.append("fields: \(list(depth: depth + 1))")
        }
        for _ in 0..<next(4) {
            let (key, values) = Self.keys[next(Self.keys.count)]
            members.append("\(key): \(values[next(values.count)])")
        }
        return "{" + members.joined(separator: ", ") + "}"
    }

    private mutating func next(_ limit: Int) -> Int {
        Int(source.popFirst() ?? 0) % limit
    }

    private mutating func damage() -> String {
        let rest = source.prefix(6)
        source = source.dropFirst(6)
        return String(decoding: rest, as: UTF8.self)
    }

    private static let types = """
        uint8 uint8 uint16 uint24 uint32 uint48 uint64 sint8 sint16 sint24 sint64 boolean float16 float32 float64
        medfloat16 medfloat32 utf8 utf16 utf8z bytes date date_time timestamp address uuid version number record uint7
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    private static let keys: [(key: String, values: [String])] = [
        ("endian", ["big", "little", "middle"]), ("scale", ["0.1", "-3", "0", "1e-9", "1e400", "123456789012345678"]),
        ("offset", ["-40", "1e30", "0.5"]), ("unit", ["\"%\"", "°C"]), ("unknown", ["0", "0xFF", "[1, 2]", "-128"]),
        ("bits", ["{0: a, 1-3: b}", "{0-7: {name: c, signed: true, scale: 0.5}}", "{9: d}", "{0: a, 1: a}"]),
        ("values", ["{0: off, 1: on}", "{1: x, 1: y}", "{255: far}"]), ("length", ["1", "2", "f1", "rest", "0"]),
        ("count", ["1", "2", "512", "f1", "f2", "rest"]),
        ("when", ["f1", "not f1", "f1 = 2", "f2 != 0", "[f1, a]", "b == 1"]), ("optional", ["true", "false"]),
        ("hidden", ["true", "false"]),
        ("value", ["f1 * 2", "\"(f1 - 32) / 1.8\"", "\"f1 << 8 | f2\"", "pow(f1, f2)", "min(f1", "f1 / 3 / (f2 / 7)"]),
        ("checksum", ["sum", "xor", "crc8", "crc16", "crc16_modbus"]), ("size", ["true"]), ("colour", ["red"]),
    ]
}

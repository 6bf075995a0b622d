package import Bluetooth

/// What the descriptor 2904 says about the bytes of its characteristic (Core Specification, Vol 3, Part G, 3.3.3.5).
package struct PresentationFormat: Hashable, Sendable {
    /// The number of the format: 0x06 is `uint16`.
    package let format: UInt8
    /// The value is raw × 10^exponent; only for whole numbers from `uint8` on.
    package let exponent: Int
    /// The unit, by its assigned number: 272F is °C.
    package let unit: UUID

    /// Reads the bytes of the descriptor.
    package init(_ bytes: [UInt8]) throws(DecodingError) {
        guard case .record(let record) = try Format(Self.fields).decode(bytes).value,
            let format = record["format"]?.number()?.integer, let exponent = record["exponent"]?.number()?.integer,
            case .string(let unit) = record["unit"], let unit = UUID(unit)
        else { preconditionFailure("the layout of 2904 has neither format nor unit") }
        self.format = UInt8(format)
        self.exponent = exponent
        self.unit = unit
    }

    static let fields: [Field] = [
        .names("format", NamedValues(Dictionary(uniqueKeysWithValues: types.map { ($0.key, $0.value.name) }))),
        .number("exponent", .sint8), unit, .number("namespace", .uint8), .number("description", .uint16),
    ]

    private static let unit: Field = {
        var field = Field("unit", .uuid)
        field.length = 2
        return field
    }()

    /// The field of a characteristic with such a descriptor; nil for formats that nobody laid down.
    ///
    /// Whole numbers of 128 bits, structures and ASN.1 stay bytes.
    package func field(named name: String) -> Field? {
        guard let (_, type, bits) = Self.types[Int(format)] else { return nil }
        var field = Field(name, type)
        if format == Self.pair { field = field.times(2) }
        field.meaning.unit = type.isNumber ? Units.text(of: unit) : nil
        field.meaning.homeAssistant = type.isNumber ? Units.homeAssistant(of: unit) : nil
        if type.isInteger, !Self.withoutExponent.contains(format) {
            field.meaning.scale = Decimal(1, exponent: exponent)
        }
        field.usedBits = bits
        return field
    }

    /// The names of the formats, the types that read them, and their bits where these do not fill the bytes.
    private static let types: [Int: (name: String, type: FieldType, bits: UInt8?)] = [
        0x01: ("boolean", .boolean, 1), 0x02: ("uint2", .uint8, 2), 0x03: ("uint4", .uint8, 4),
        0x04: ("uint8", .uint8, nil), 0x05: ("uint12", .uint16, 12), 0x06: ("uint16", .uint16, nil),
        0x07: ("uint24", .uint24, nil), 0x08: ("uint32", .uint32, nil), 0x09: ("uint48", .uint48, nil),
        0x0A: ("uint64", .uint64, nil), 0x0B: ("uint128", .bytes, nil), 0x0C: ("sint8", .sint8, nil),
        0x0D: ("sint12", .sint16, 12), 0x0E: ("sint16", .sint16, nil), 0x0F: ("sint24", .sint24, nil),
        0x10: ("sint32", .sint32, nil), 0x11: ("sint48", .sint48, nil), 0x12: ("sint64", .sint64, nil),
        0x13: ("sint128", .bytes, nil), 0x14: ("float32", .float32, nil), 0x15: ("float64", .float64, nil),
        0x16: ("medfloat16", .medfloat16, nil), 0x17: ("medfloat32", .medfloat32, nil),
        0x18: ("uint16_2", .uint16, nil),
        0x19: ("utf8", .utf8, nil), 0x1A: ("utf16", .utf16, nil), 0x1B: ("struct", .bytes, nil),
        0x1C: ("medasn1", .bytes, nil),
    ]

    /// The whole numbers to which the exponent does not apply: uint2, uint4, and two of 16 bits.
    private static let withoutExponent: Set<UInt8> = [0x02, 0x03, pair]

    /// Two numbers of 16 bits.
    private static let pair: UInt8 = 0x18
}

package import Bluetooth
import JSON

/// The descriptor Characteristic Presentation Format (2904): the layout of the value of its characteristic.
///
/// Source: Core Specification, Vol 3, Part G, 3.3.3.5.
package struct PresentationFormat: Hashable, Sendable {
    /// The number of the format, e.g.
    ///
    /// 0x06 for `uint16`.
    package let format: UInt8
    /// The exponent in value = raw × 10^exponent; used only for integers of 8 to 64 bits.
    package let exponent: Int
    /// The assigned number of the unit, e.g.
    ///
    /// 272F for °C.
    package let unit: UUID

    /// Reads the seven bytes of the descriptor.
    package init(_ bytes: [UInt8]) throws(DecodingError) {
        guard case .record(let record) = try Format(Self.fields).decode(bytes).value,
            let format = record["format"]?.number()?.integer, let exponent = record["exponent"]?.number()?.integer,
            case .string(let unit) = record["unit"], let unit = UUID(unit)
        else { preconditionFailure("the layout of 2904 lacks format, exponent or unit") }
        self.format = UInt8(format)
        self.exponent = exponent
        self.unit = unit
    }

    static let fields: [Field] = [
        .names("format", NamedValues(Dictionary(uniqueKeysWithValues: types.map { ($0.key, $0.value.name) }))),
        .number("exponent", .sint8), unit, .number("namespace", .uint8), .number("description", .uint16),
    ]

    private static let unit = Field.uuid("unit", length: 2)

    /// Returns the field of a characteristic with this descriptor; nil for a reserved format.
    ///
    /// The field of a 128-bit integer, a structure or ASN.1 has the type `bytes`.
    package func field(named name: String) -> Field? {
        guard let (_, content) = Self.types[Int(format)] else { return nil }
        guard case .number(var number) = content else { return Field(name, content) }
        if number.type.isInteger, !Self.withoutExponent.contains(format) {
            number.meaning.scale = Decimal(1, exponent: exponent)
        }
        var field = Field(name, .number(number))
        field.unit = Units.text(of: unit)
        field.kind = Units.kind(of: unit)
        return format == Self.pair ? field.times(2) : field
    }

    /// The names of the formats and the layouts of their bytes, by the numbers of the formats.
    private static let types: [Int: (name: String, content: Field.Content)] = [
        0x01: ("boolean", .value(.bit, .little)), 0x02: ("uint2", .number(.uint8, usedBits: 2)),
        0x03: ("uint4", .number(.uint8, usedBits: 4)), 0x04: ("uint8", .number(.uint8)),
        0x05: ("uint12", .number(.uint16, usedBits: 12)), 0x06: ("uint16", .number(.uint16)),
        0x07: ("uint24", .number(.uint24)), 0x08: ("uint32", .number(.uint32)), 0x09: ("uint48", .number(.uint48)),
        0x0A: ("uint64", .number(.uint64)), 0x0B: ("uint128", bytes), 0x0C: ("sint8", .number(.sint8)),
        0x0D: ("sint12", .number(.sint16, usedBits: 12)), 0x0E: ("sint16", .number(.sint16)),
        0x0F: ("sint24", .number(.sint24)), 0x10: ("sint32", .number(.sint32)), 0x11: ("sint48", .number(.sint48)),
        0x12: ("sint64", .number(.sint64)), 0x13: ("sint128", bytes), 0x14: ("float32", .number(.float32)),
        0x15: ("float64", .number(.float64)), 0x16: ("medfloat16", .number(.medfloat16)),
        0x17: ("medfloat32", .number(.medfloat32)), 0x18: ("uint16_2", .number(.uint16)),
        0x19: ("utf8", .text(.utf8, .little, length: nil)), 0x1A: ("utf16", .text(.utf16, .little, length: nil)),
        0x1B: ("struct", bytes), 0x1C: ("medasn1", bytes),
    ]

    private static let bytes = Field.Content.text(.bytes, .little, length: nil)

    /// The formats of whole numbers to which the exponent does not apply: uint2, uint4, and the pair of uint16.
    private static let withoutExponent: Set<UInt8> = [0x02, 0x03, pair]

    /// The number of the format for a pair of 16-bit numbers.
    private static let pair: UInt8 = 0x18
}

extension Field.Content {
    fileprivate static func number(_ type: NumberType, usedBits: UInt8? = nil) -> Field.Content {
        var number = Number(type)
        number.usedBits = usedBits
        return .number(number)
    }
}

/// The size and the encoding of a number in a field.
package enum NumberType: String, Hashable, Sendable, CaseIterable {
    case uint8, uint16, uint24, uint32, uint40, uint48, uint56, uint64
    /// Two's complement.
    case sint8, sint16, sint24, sint32, sint40, sint48, sint56, sint64
    /// IEEE 754.
    case float16, float32, float64
    /// IEEE 11073 SFLOAT: a 4-bit exponent and a 12-bit mantissa to the base of ten. Its special values decode as null.
    case medfloat16
    /// IEEE 11073 FLOAT: an 8-bit exponent and a 24-bit mantissa to the base of ten. Its special values decode as null.
    case medfloat32

    /// The size in bytes, from 1 to 8.
    package var size: Int {
        switch self {
        case .uint8, .sint8: 1
        case .uint16, .sint16, .float16, .medfloat16: 2
        case .uint24, .sint24: 3
        case .uint32, .sint32, .float32, .medfloat32: 4
        case .uint40, .sint40: 5
        case .uint48, .sint48: 6
        case .uint56, .sint56: 7
        case .uint64, .sint64, .float64: 8
        }
    }

    /// Whether numbers of the type are whole numbers.
    package var isInteger: Bool {
        switch self {
        case .float16, .float32, .float64, .medfloat16, .medfloat32: false
        default: true
        }
    }

    var isSigned: Bool {
        switch self {
        case .sint8, .sint16, .sint24, .sint32, .sint40, .sint48, .sint56, .sint64: true
        default: false
        }
    }

    /// The raw numbers that the type can represent; nil for a floating-point type.
    package var integerRange: ClosedRange<Int128>? {
        guard isInteger else { return nil }
        let count: Int128 = 1 << (8 * size)
        return isSigned ? -count / 2...count / 2 - 1 : 0...count - 1
    }
}

/// What a field's bytes are.
package enum FieldType: String, Hashable, Sendable, CaseIterable {
    /// One byte: 0 or 1.
    case boolean
    case uint8, uint16, uint24, uint32, uint40, uint48, uint56, uint64
    case sint8, sint16, sint24, sint32, sint40, sint48, sint56, sint64
    /// IEEE 754.
    case float16, float32, float64
    /// IEEE 11073: SFLOAT, a 4-bit exponent and a 12-bit mantissa to the base of ten; its special values are null.
    case medfloat16
    /// IEEE 11073: FLOAT, an 8-bit exponent and a 24-bit mantissa to the base of ten; its special values are null.
    case medfloat32
    /// Text; without a length it reaches to the end.
    case utf8
    /// Text in units of two bytes; without a length it reaches to the end.
    case utf16
    /// Text up to a NUL, or to the end.
    case utf8z
    /// Raw bytes; without a length they reach to the end.
    case bytes
    /// Three bytes: days since 1970-01-01, read as `2026-11-21`.
    case date
    /// Seven bytes: year, month, day, hours, minutes, seconds (characteristic 2A08), read as `2026-11-21T05:09:00`.
    case dateTime = "date_time"
    /// Four bytes: seconds since 1970-01-01, read as `2026-11-21T05:09:00+00:00`.
    case timestamp
    /// One byte: 1.1^(N-64) seconds, 0 for none (characteristic 2B13).
    case exponentialTime = "exponential_time"
    /// Six bytes: an address, read as `C0:00:00:00:00:01`.
    case address
    /// Two or sixteen bytes, all that are left: a UUID.
    case uuid
    /// Bytes that are the parts of a version, the last part first: `1.2.3`.
    case version
    /// Three bytes: the first part of a version in the lower half of the first, the second in its upper half, and the
    /// third in the others: `1.1.083`.
    case packedVersion = "packed_version"
    /// An Eddystone beacon's URL.
    case compressedURL = "compressed_url"
    /// No bytes: a number that follows from earlier fields.
    case number
    /// Fields of its own.
    case record
    /// Objects that follow each other to the end, each telling what it is.
    case objects

    /// What a configuration may name; the others exist for the formats that come with the program.
    package static let configurable = allCases.filter {
        ![.exponentialTime, .packedVersion, .compressedURL, .objects].contains($0)
    }

    /// The bytes it takes; nil for those whose length the format or the value decides.
    package var size: Int? {
        switch self {
        case .boolean, .uint8, .sint8, .exponentialTime: 1
        case .uint16, .sint16, .float16, .medfloat16: 2
        case .uint24, .sint24, .date, .packedVersion: 3
        case .uint32, .sint32, .float32, .medfloat32, .timestamp: 4
        case .uint40, .sint40: 5
        case .uint48, .sint48, .address: 6
        case .uint56, .sint56, .dateTime: 7
        case .uint64, .sint64, .float64: 8
        case .utf8, .utf16, .utf8z, .bytes, .uuid, .version, .compressedURL, .number, .record, .objects: nil
        }
    }

    /// Whether it is a whole number before scale and offset.
    package var isInteger: Bool {
        switch self {
        case .uint8, .uint16, .uint24, .uint32, .uint40, .uint48, .uint56, .uint64: true
        default: isSigned
        }
    }

    var isSigned: Bool {
        switch self {
        case .sint8, .sint16, .sint24, .sint32, .sint40, .sint48, .sint56, .sint64: true
        default: false
        }
    }

    /// Whether scale and offset apply.
    var isNumber: Bool {
        switch self {
        case .float16, .float32, .float64, .medfloat16, .medfloat32, .number: true
        default: isInteger
        }
    }

    /// The raw numbers it can hold; nil if it is not a whole number.
    package var integerRange: ClosedRange<Int128>? {
        guard isInteger, let size else { return nil }
        let count: Int128 = 1 << (8 * size)
        return isSigned ? -count / 2...count / 2 - 1 : 0...count - 1
    }
}

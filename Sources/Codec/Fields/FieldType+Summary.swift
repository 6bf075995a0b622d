extension FieldType {
    /// The description of the type for the reference.
    package var summary: String {
        switch self {
        case .number(let type): type.summary
        case .value(.boolean): "true or false; one byte, 0 or 1"
        case .value(.date): "a date; days since 1970-01-01"
        case .value(.dateTime): "a date and time; year (two bytes), month, day, hours, minutes, seconds"
        case .value(.timestamp): "a time in UTC; seconds since 1970-01-01, or as length, scale and offset say"
        case .value(.bit), .value(.exponentialTime), .value(.packedVersion), .text(.compressedURL):
            "only in built-in formats"
        case .text(.utf8): "text in UTF-8; bytes after a NUL are not part of it"
        case .text(.utf16): "text in UTF-16; bytes after a NUL are not part of it"
        case .terminatedText: "text in UTF-8 up to a NUL, or with a length"
        case .text(.bytes): "raw bytes, shown in hexadecimal digits"
        case .text(.uuid): "a UUID of 2, 4 or 16 bytes"
        case .text(.version): "a version; one byte for each part, the last part first"
        case .address: "a Bluetooth address"
        case .decimal: "a number as text, such as -12.5"
        case .calculated: "a number without bytes, calculated by the formula in value"
        case .record: "an object with its own fields"
        }
    }

    /// The size in bytes; nil if the size depends on the other keys of the field.
    package var size: Int? {
        switch self {
        case .number(let type): type.size
        case .value(let type): type.size
        case .address: 6
        case .calculated: 0
        case .text, .terminatedText, .decimal, .record: nil
        }
    }
}

extension NumberType {
    fileprivate var summary: String {
        if let range = integerRange { return "a whole number from \(range.lowerBound) to \(range.upperBound)" }
        return switch self {
        case .float16: "a floating-point number (IEEE 754, half precision)"
        case .float32: "a floating-point number (IEEE 754, single precision)"
        case .float64: "a floating-point number (IEEE 754, double precision)"
        case .medfloat16: "a decimal floating-point number (IEEE 11073 SFLOAT)"
        default: "a decimal floating-point number (IEEE 11073 FLOAT)"
        }
    }
}

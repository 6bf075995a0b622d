/// The value as a Swift type; nil if the value has another type. A variant returns the value that it contains.
extension Variant {
    package var boolean: Bool? {
        if case .boolean(let value) = bare { value } else { nil }
    }

    /// The value of any integer type; nil beyond the range of `Int`.
    package var integer: Int? {
        switch bare {
        case .byte(let value): Int(value)
        case .int16(let value): Int(value)
        case .uint16(let value): Int(value)
        case .int32(let value): Int(value)
        case .uint32(let value): Int(value)
        case .int64(let value): Int(value)
        case .uint64(let value): Int(exactly: value)
        default: nil
        }
    }

    /// A string, an object path or a signature.
    package var text: String? {
        switch bare {
        case .string(let value), .objectPath(let value), .signature(let value): value
        default: nil
        }
    }

    package var bytes: [UInt8]? {
        if case .bytes(let value) = bare { value } else { nil }
    }

    package var fileDescriptor: FileDescriptor? {
        if case .fileDescriptor(let value) = bare { value } else { nil }
    }

    package var elements: [Variant]? {
        if case .array(let value, _) = bare { value } else { nil }
    }

    /// The elements of an array of strings or object paths.
    package var texts: [String]? {
        elements?.compactMap(\.text)
    }

    package var entries: [Entry]? {
        if case .dictionary(let value, _, _) = bare { value } else { nil }
    }

    /// A dictionary whose keys are strings or object paths.
    ///
    /// If several entries have the same key, the last entry is used.
    package var dictionary: [String: Variant]? {
        guard let entries else { return nil }
        var dictionary: [String: Variant] = [:]
        for entry in entries {
            guard let key = entry.key.text else { return nil }
            dictionary[key] = entry.value.bare
        }
        return dictionary
    }

    /// The value without the variants around it.
    package var bare: Variant {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }
}

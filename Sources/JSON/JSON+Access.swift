extension JSON {
    /// The member with this name; nil if there is none, or if the value is not an object.
    package subscript(name: String) -> JSON? {
        object?[name]
    }

    /// The element at this index; nil beyond the end, or if the value is not an array.
    package subscript(index: Int) -> JSON? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }

    package var isNull: Bool {
        self == .null
    }

    package var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    package var number: Number? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The number, if it is an integer in the range of `Int`, in any notation (5, 5.0, 5e0).
    package var int: Int? {
        number?.int
    }

    /// The `Double` nearest to the number; nil beyond its range.
    package var double: Double? {
        number?.double
    }

    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    package var array: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    package var object: Object? {
        if case .object(let value) = self { value } else { nil }
    }
}

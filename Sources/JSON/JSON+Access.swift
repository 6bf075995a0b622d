extension JSON {
    /// The member of this name; nil where there is none, and for what is not an object.
    package subscript(name: String) -> JSON? {
        object?[name]
    }

    /// The element at this place; nil beyond the end, and for what is not an array.
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

    /// The number, if it is a whole one in the range of `Int`, however it is written.
    package var int: Int? {
        number?.int
    }

    /// The number, as near as a `Double` comes to it.
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

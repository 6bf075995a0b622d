extension JSON.Object {
    /// Adds a text member unless the text is nil.
    package mutating func add(_ name: String, _ text: String?) {
        if let text { self[name] = .string(text) }
    }

    /// Adds a member unless its value is nil.
    package mutating func add(_ name: String, _ value: JSON?) {
        if let value { self[name] = value }
    }

    /// Adds an integer member unless the integer is nil.
    package mutating func add(_ name: String, _ number: Int?) {
        if let number { self[name] = .number(number) }
    }

    /// Adds the text of a value, such as an address or a time, unless the value is nil.
    package mutating func add(_ name: String, text value: (some CustomStringConvertible)?) {
        if let value { self[name] = .text(value) }
    }

    /// Adds or replaces the members of another object.
    package mutating func merge(_ other: JSON.Object) {
        for member in other { self[member.name] = member.value }
    }

    /// Returns a copy of the object in which the members of another object are added or replaced.
    package func adding(_ other: JSON.Object) -> JSON.Object {
        var result = self
        result.merge(other)
        return result
    }
}

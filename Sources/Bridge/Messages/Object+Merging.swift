internal import JSON

extension JSON.Object {
    /// Adds a member where there is something to say.
    mutating func add(_ name: String, _ text: String?) {
        if let text { self[name] = .string(text) }
    }

    /// Takes over the members of another object.
    mutating func merge(_ other: JSON.Object) {
        for member in other { self[member.name] = member.value }
    }

    /// The same with the members of another object.
    func adding(_ other: JSON.Object) -> JSON.Object {
        var result = self
        result.merge(other)
        return result
    }
}

extension Format {
    /// Checks the format for contradictions; a configured format must pass before it is used.
    ///
    /// - Throws: `FormatError` for the first contradiction.
    package func validate() throws(FormatError) {
        if fields.isEmpty { throw FormatError("a format needs at least one field", index: 0, key: "name") }
        var earlier: [Field] = []
        for (index, field) in fields.enumerated() {
            let isLast = index == fields.count - 1
            try field.validate(at: index, isLast: isLast)
            try checkNames(of: field, at: index, after: earlier)
            try checkConditions(of: field, at: index, after: earlier)
            earlier.append(field)
        }
    }

    /// Checks the names of a field.
    ///
    /// An earlier field may have the same name only if both fields have conditions.
    private func checkNames(of field: Field, at index: Int, after earlier: [Field]) throws(FormatError) {
        if !field.isShown, !references.contains(field.name) { return }
        let taken = Set(earlier.flatMap { $0.when.isEmpty || field.when.isEmpty ? $0.names : [] })
        var names: Set<String> = []
        for name in field.names {
            if name.isEmpty { throw FormatError("a name is missing", index: index, key: "name") }
            if name == "time" && !hasOneValue {
                throw FormatError(
                    "'time' is the name of the reception time: choose another name", index: index, key: "name")
            }
            if taken.contains(name) || !names.insert(name).inserted {
                throw FormatError(
                    "the name \(name.quotedForMessage) is used twice: rename one field", index: index, key: "name")
            }
        }
    }

    /// Returns the names that a field may refer to, for a message without other advice.
    private static func list(_ names: [String], _ advice: String) -> String {
        if !advice.isEmpty { return "" }
        return names.isEmpty ? ": there is no earlier number" : ": known: \(names.joined(separator: ", "))"
    }

    private func checkConditions(of field: Field, at index: Int, after earlier: [Field]) throws(FormatError) {
        let (names, numbers) = (earlier.flatMap(\.names), earlier.filter(\.isOneNumber).flatMap(\.names))
        func check(_ name: String, _ what: String, _ key: String, _ advice: String = "") throws(FormatError) {
            if numbers.contains(name) { return }
            let quoted = name.quotedForMessage
            let reason =
                names.contains(name)
                ? "\(quoted) is not a number"
                : "no earlier \(what) is named \(quoted)\(advice)\(Self.list(numbers, advice))"
            throw FormatError(reason, index: index, key: key)
        }
        for condition in field.when {
            // The user probably wrote a formula, which is not allowed in a condition.
            let isFormula = condition.flag.contains { "!=<>&|".contains($0) }
            let advice = isFormula ? ": write NAME, not NAME, NAME = 2 or NAME != 2, with these spaces" : ""
            try check(condition.flag, "field or bit", "when", advice)
        }
        for condition in field.bits.flatMap(\.when) where !(names + field.names).contains(condition.flag) {
            throw FormatError("no bit is named \(condition.flag.quotedForMessage)", index: index, key: "bits")
        }
        for (key, extent) in [("length", field.content.length), ("count", field.count)] {
            if case .field(let name) = extent { try check(name, "field", key) }
        }
        if case .formula(let formula) = field.content {
            for name in formula.expression.names.sorted() { try check(name, "field or bit", "value") }
        }
    }
}

/// A contradiction in a format.
package struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The position of the wrong field in `Format.fields`, from 0 on.
    package let index: Int
    /// The key of the configuration that is wrong: `name`, `length`, `when`.
    package let key: String
    /// The contradiction and, in some cases, how to correct the format.
    package let description: String

    package init(_ description: String, index: Int, key: String) {
        self.index = index
        self.key = key
        self.description = description
    }
}

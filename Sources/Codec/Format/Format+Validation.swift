extension Format {
    /// Checks the format for contradictions; a configured format must pass before it is used.
    ///
    /// - Parameter allowsOuterNames: Whether conditions and formulas may use names that no field defines.
    /// - Throws: `FormatError` for the first contradiction.
    package func validate(allowsOuterNames: Bool = false) throws(FormatError) {
        if fields.isEmpty { throw FormatError("a format needs at least one field", index: 0, key: "name") }
        var earlier: [Field] = []
        for (index, field) in fields.enumerated() {
            // A field with a position may follow bytes up to the end.
            let isLast = index == fields.count - 1 || fields[index + 1].position != nil
            try field.validate(at: index, isLast: isLast, allowsOuterNames: allowsOuterNames)
            try checkNames(of: field, at: index, after: earlier)
            try checkConditions(of: field, at: index, after: earlier, allowsOuterNames)
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

    private func checkConditions(
        of field: Field, at index: Int, after earlier: [Field], _ allowsOuterNames: Bool
    ) throws(FormatError) {
        let (names, numbers) = (earlier.flatMap(\.names), earlier.filter(\.isOneNumber).flatMap(\.names))
        // The name of a later field is probably a wrong order. A field's own name may be that of a value from outside.
        let inner = names + fields[(index + 1)...].flatMap(\.names)
        func check(_ name: String, _ what: String, _ key: String, _ advice: String = "") throws(FormatError) {
            if numbers.contains(name) || (allowsOuterNames && advice.isEmpty && !inner.contains(name)) { return }
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
        for condition in field.bits.flatMap(\.when)
        where !(names + field.names).contains(condition.flag) && (!allowsOuterNames || inner.contains(condition.flag)) {
            throw FormatError("no bit is named \(condition.flag.quotedForMessage)", index: index, key: "bits")
        }
        for (key, extent) in [("length", field.content.length), ("count", field.count)] {
            if case .field(let name) = extent { try check(name, "field", key) }
        }
        /// Checks a name to whose list or text a function of a formula refers.
        func checkValue(_ name: String, _ key: String) throws(FormatError) {
            if earlier.contains(where: { $0.name == name && $0.isListOrText }) { return }
            if allowsOuterNames, !inner.contains(name) { return }
            let quoted = name.quotedForMessage
            throw FormatError(
                names.contains(name)
                    ? "\(quoted) is neither a list nor a text" : "no earlier list or text is named \(quoted)",
                index: index, key: key)
        }
        for (key, formula) in field.formulas {
            for name in formula.names.subtracting(formula.valueNames).sorted() {
                try check(name, key == "value" ? "field or bit" : "field", key)
            }
            for name in formula.valueNames.sorted() { try checkValue(name, key) }
        }
    }
}

extension Field {
    /// The formulas of the field, by the key of the configuration.
    fileprivate var formulas: [(key: String, formula: Expression)] {
        var formulas = [content.length.map { ("length", $0) }, count.map { ("count", $0) }].compactMap { entry in
            if let entry, case .formula(let formula) = entry.1 { (key: entry.0, formula: formula) } else { nil }
        }
        if let assignment { formulas.append(("value", assignment)) }
        if case .formula(let formula) = content { formulas.append(("value", formula.expression)) }
        return formulas
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

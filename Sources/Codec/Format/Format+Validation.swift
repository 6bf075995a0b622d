extension Format {
    /// Throws the first contradiction: what a user wrote has to pass this before it is used.
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

    /// A name may come twice only where conditions keep the two apart, or where nobody sees it.
    private func checkNames(of field: Field, at index: Int, after earlier: [Field]) throws(FormatError) {
        if !field.isShown, !references.contains(field.name) { return }
        let taken = Set(earlier.flatMap { $0.when.isEmpty || field.when.isEmpty ? $0.names : [] })
        var names: Set<String> = []
        for name in field.names {
            if name.isEmpty { throw FormatError("a name is missing", index: index, key: "name") }
            if name == "time" && !hasOneValue {
                throw FormatError(
                    "'time' is when a reading was received: choose another name", index: index, key: "name")
            }
            if taken.contains(name) || !names.insert(name).inserted {
                throw FormatError("there are two fields \(name.quotedForMessage)", index: index, key: "name")
            }
        }
    }

    private func checkConditions(of field: Field, at index: Int, after earlier: [Field]) throws(FormatError) {
        let (names, numbers) = (earlier.flatMap(\.names), earlier.filter(\.isOneNumber).flatMap(\.names))
        func check(_ name: String, _ what: String, _ key: String, _ advice: String = "") throws(FormatError) {
            if numbers.contains(name) { return }
            let quoted = name.quotedForMessage
            let reason =
                names.contains(name) ? "\(quoted) is no number" : "no earlier \(what) is named \(quoted)\(advice)"
            throw FormatError(reason, index: index, key: key)
        }
        for condition in field.when {
            // More than a name was meant, and it is written in another way.
            let isFormula = condition.flag.contains { "!=<>&|".contains($0) }
            let advice = isFormula ? ": write NAME, not NAME, NAME = 2 or NAME != 2, with these spaces" : ""
            try check(condition.flag, "field or bit", "when", advice)
        }
        for condition in field.bits.flatMap(\.when) where !(names + field.names).contains(condition.flag) {
            throw FormatError("no bit is named \(condition.flag.quotedForMessage)", index: index, key: "bits")
        }
        for (key, extent) in [("length", field.length), ("count", field.count)] {
            if case .field(let name) = extent { try check(name, "field", key) }
        }
        for name in (field.expression?.names ?? []).sorted() { try check(name, "field or bit", "value") }
    }
}

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
                    "“time” is when a reading was received: choose another name", index: index, key: "name")
            }
            if taken.contains(name) || !names.insert(name).inserted {
                throw FormatError("there are two fields “\(name)”", index: index, key: "name")
            }
        }
    }

    private func checkConditions(of field: Field, at index: Int, after earlier: [Field]) throws(FormatError) {
        let flags = earlier.flatMap(\.names)
        for condition in field.when where !flags.contains(condition.flag) {
            throw FormatError("no earlier field or bit is named “\(condition.flag)”", index: index, key: "when")
        }
        for condition in field.bits.flatMap(\.when) where !(flags + field.names).contains(condition.flag) {
            throw FormatError("no bit is named “\(condition.flag)”", index: index, key: "bits")
        }
        for (key, extent) in [("length", field.length), ("count", field.count)] {
            if case .field(let name) = extent, !flags.contains(name) {
                throw FormatError("no earlier field is named “\(name)”", index: index, key: key)
            }
        }
        for name in (field.expression?.names ?? []).sorted() where !flags.contains(name) {
            throw FormatError("no earlier field or bit is named “\(name)”", index: index, key: "value")
        }
    }
}

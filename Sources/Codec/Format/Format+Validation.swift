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
        try checkEnds()
    }

    /// Throws where a field takes all bytes that there are and another always wants some after it: no value ever fits.
    private func checkEnds() throws(FormatError) {
        guard let index = fields.firstIndex(where: \.takesTheRest), fields[(index + 1)...].contains(where: \.wantsBytes)
        else { return }
        let key = fields[index].type == .record && fields[index].length == nil ? "fields" : "length"
        throw FormatError("\(key): only the last field may reach to the end", index: index, key: key)
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
        let (names, numbers) = (earlier.flatMap(\.names), earlier.filter(\.isOneNumber).flatMap(\.names))
        func check(_ name: String, _ what: String, _ key: String) throws(FormatError) {
            if numbers.contains(name) { return }
            let reason = names.contains(name) ? "“\(name)” is no number" : "no earlier \(what) is named “\(name)”"
            throw FormatError(reason, index: index, key: key)
        }
        for condition in field.when { try check(condition.flag, "field or bit", "when") }
        for condition in field.bits.flatMap(\.when) where !(names + field.names).contains(condition.flag) {
            throw FormatError("no bit is named “\(condition.flag)”", index: index, key: "bits")
        }
        for (key, extent) in [("length", field.length), ("count", field.count)] {
            if case .field(let name) = extent { try check(name, "field", key) }
        }
        for name in (field.expression?.names ?? []).sorted() { try check(name, "field or bit", "value") }
    }
}

extension Field {
    /// Whether its place is in every value, whatever earlier fields say.
    private var hasFixedPlace: Bool {
        if case .field = count { return false }
        return when.isEmpty && expression == nil
    }

    /// Whether nothing is ever left behind it.
    fileprivate var takesTheRest: Bool {
        guard hasFixedPlace else { return false }
        if count == .toTheEnd || length == .toTheEnd { return true }
        guard length == nil else { return false }
        guard let record else { return reachesToTheEnd }
        // One that says its own size ends there.
        return !record.fields.contains(where: \.isSizeOfRecord) && record.fields.contains(where: \.takesTheRest)
    }

    /// Whether there is no value in which it takes no bytes.
    fileprivate var wantsBytes: Bool {
        guard hasFixedPlace, !isOptional, count != .toTheEnd else { return false }
        if case .exactly = length { return true }
        return record.map { $0.fields.contains(where: \.wantsBytes) } ?? (type.size != nil)
    }
}

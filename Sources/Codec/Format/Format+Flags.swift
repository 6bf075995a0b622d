import JSON

/// Derives the numbers that a record omits: flag bits, lengths and counts follow from the fields that are present.
extension Format {
    /// Returns the numbers to which fields refer: from the record, or derived from the presence of its fields.
    func knownNumbers(for record: Record, with outer: KnownNumbers) throws(EncodingError) -> KnownNumbers {
        var known = outer
        for name in references.sorted() {
            guard let selector = selector(named: name) else { continue }
            if selector.isGiven(by: record) {
                if let number = selector.number(in: record) {
                    known.set(name, to: number)
                } else if let value = record[name] {
                    known.set(name, to: value)
                }
            } else if let extent = try extent(announcedBy: name, in: record, with: outer) {
                known.set(name, to: Decimal(extent))
            } else if let number = bestNumber(of: selector, for: record) {
                known.set(name, to: number)
            }
        }
        return known
    }

    private func selector(named name: String) -> Selector? {
        for field in fields {
            switch field.content {
            case .formula: break
            case .bits(let set):
                for bits in set.bits where bits.name == name { return Selector(bits, of: set, named: field.name) }
            default: if field.name == name { return Selector(field) }
            }
        }
        return nil
    }

    /// Returns the length or the count of the record's value that the number `name` announces; nil if there is none.
    private func extent(
        announcedBy name: String, in record: Record, with outer: KnownNumbers
    ) throws(EncodingError) -> Int? {
        for field in fields {
            guard let value = record[field.name] else { continue }
            if case .list(let elements) = value, field.count == .field(name) { return elements.count }
            if field.content.length == .field(name) { return try field.longestElement(of: value, with: outer) }
        }
        return nil
    }

    /// Returns the number of a selector that fits the record best; nil if no field depends on the selector.
    ///
    /// The criteria, the most important first: the fields in the record are present; the selector can have the number;
    /// the values fit the fields (a heart rate above 255 fits only the wide form); the number is not unlikely; few
    /// fields are missing in the record.
    ///
    /// Returns nil for a choice among names if several numbers fit equally well: a `reset` must not be written without
    /// being requested.
    private func bestNumber(of selector: Selector, for record: Record) -> Decimal? {
        let dependents = dependents(of: selector.name)
        if dependents.isEmpty { return nil }
        let all = Set(dependents.map(\.name))
        func penalty(_ candidate: Selector.Candidate) -> [Int] {
            let present = dependents.filter { $0.isThere(for: candidate.number) }
            let names = Set(present.map(\.name))
            let withoutPlace = all.subtracting(names).count { record[$0] != nil }
            let misfits = present.count { dependent in record[dependent.name].map { !dependent.accepts($0) } ?? false }
            let missing = names.count { record[$0] == nil }
            return [withoutPlace, candidate.isExpressible ? 0 : 1, misfits, candidate.isUnlikely ? 1 : 0, missing]
        }
        let candidates = selector.candidates(for: dependents.flatMap(\.conditions))
        let penalties = candidates.map(penalty)
        let least = penalties.min { $0.lexicographicallyPrecedes($1) }
        guard let index = penalties.firstIndex(where: { $0 == least }) else { return nil }
        if selector.isChoice, penalties.count(where: { $0 == least }) > 1 { return nil }
        return candidates[index].number
    }

    private func dependents(of flag: String) -> [Dependent] {
        fields.flatMap { field -> [Dependent] in
            guard field.bits.isEmpty else {
                return field.bits.map { bits in
                    Dependent(name: bits.name, conditions: field.when + bits.when, on: flag) { bits.accepts($0) }
                }
            }
            return [Dependent(name: field.name, conditions: field.when, on: flag) { field.accepts($0) }]
        }.filter { !$0.conditions.isEmpty }
    }
}

/// A field, or a range of bits, that is present only under conditions.
private struct Dependent {
    let name: String
    /// The conditions of the field on one selector; the field is present only if all conditions hold.
    let conditions: [Condition]
    /// Returns whether a value can be encoded as this field.
    let accepts: (Value) -> Bool

    init(name: String, conditions: [Condition], on flag: String, accepts: @escaping (Value) -> Bool) {
        self.name = name
        self.conditions = conditions.filter { $0.flag == flag }
        self.accepts = accepts
    }

    func isThere(for number: Decimal) -> Bool {
        conditions.allSatisfy { $0.holds(for: number) }
    }
}

extension Field {
    /// Returns the length of a value in bytes, or of the longest element of a list.
    fileprivate func longestElement(of value: Value, with outer: KnownNumbers) throws(EncodingError) -> Int {
        var elements = [value]
        if case .list(let list) = value { elements = list }
        var longest = 0
        var field = self
        field.count = nil
        for element in elements {
            var bytes: [UInt8] = []
            try field.encode(element, to: &bytes, with: outer)
            longest = max(longest, bytes.count)
        }
        return longest
    }

    fileprivate func accepts(_ value: Value) -> Bool {
        var bytes: [UInt8] = []
        if case .formula = content { return true }
        return (try? encode(value, to: &bytes, with: KnownNumbers())) != nil
    }
}

extension BitField {
    fileprivate func accepts(_ value: Value) -> Bool {
        (try? encode(value)) != nil
    }
}

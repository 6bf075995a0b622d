/// How encoding finds the numbers that nobody gives it: a record names its fields, and not the bits that announce them
/// or the bytes that count them.
extension Format {
    /// A field, or a bit, that is there only under conditions.
    private struct Dependent {
        let name: String
        let condition: Condition
        /// Whether the field itself can be written with this value.
        let accepts: (Value) -> Bool
    }

    /// The numbers that fields refer to: those that a record gives, and the others from what it has.
    func knownNumbers(for record: Record, with outer: KnownNumbers) throws(EncodingError) -> KnownNumbers {
        var known = outer
        for name in references.sorted()
        where fields.contains(where: { $0.expression == nil && $0.names.contains(name) }) {
            if let given = given(name, in: record) {
                known.set(name, to: given)
            } else if let extent = try extent(announcedBy: name, in: record, with: outer) {
                known.set(name, to: Decimal(extent))
            } else if let flag = bestValue(of: name, for: record) {
                known.set(name, to: Decimal(flag))
            }
        }
        return known
    }

    private func given(_ name: String, in record: Record) -> Decimal? {
        guard let value = record[name] else { return nil }
        for field in fields {
            if field.name == name, field.bits.isEmpty { return value.number(names: field.meaning.values) }
            for bits in field.bits where bits.name == name { return value.number(names: bits.meaning.values) }
        }
        return nil
    }

    /// How long or how many the field is that a number announces.
    private func extent(
        announcedBy name: String, in record: Record, with outer: KnownNumbers
    ) throws(EncodingError) -> Int? {
        for field in fields {
            guard let value = record[field.name] else { continue }
            if case .list(let elements) = value, field.count == .field(name) { return elements.count }
            if field.length == .field(name) { return try field.longestElement(of: value, with: outer) }
        }
        return nil
    }

    /// The value of a flag under which the record's names have a place, with as few others missing as possible; of
    /// several the first under which the values fit, as a heart rate above 255 fits only the wide form.
    private func bestValue(of flag: String, for record: Record) -> Int? {
        let dependents = dependents(of: flag)
        if dependents.isEmpty { return nil }
        func penalty(_ candidate: Int) -> (homeless: Int, misfits: Int, missing: Int) {
            let present = dependents.filter { $0.condition.holds(for: Decimal(candidate)) }
            let names = Set(present.map(\.name))
            let homeless = Set(dependents.map(\.name)).subtracting(names).filter { record[$0] != nil }.count
            let missing = names.filter { record[$0] == nil }.count
            let misfits = present.filter { dependent in record[dependent.name].map { !dependent.accepts($0) } ?? false }
                .count
            return (homeless, misfits, missing)
        }
        return Set(dependents.flatMap(\.condition.candidates)).sorted().min { penalty($0) < penalty($1) }
    }

    private func dependents(of flag: String) -> [Dependent] {
        fields.flatMap { field -> [Dependent] in
            let own = field.when.filter { $0.flag == flag }.flatMap { condition in
                field.bits.isEmpty
                    ? [Dependent(name: field.name, condition: condition) { field.accepts($0) }]
                    : field.bits.map { bits in
                        Dependent(name: bits.name, condition: condition) { bits.accepts($0) }
                    }
            }
            return own
                + field.bits.flatMap { bits in
                    bits.when.filter { $0.flag == flag }.map { condition in
                        Dependent(name: bits.name, condition: condition) { bits.accepts($0) }
                    }
                }
        }
    }
}

extension Field {
    /// How many bytes the value takes, or of a list the longest of its elements.
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
        return expression != nil || (try? encode(value, to: &bytes, with: KnownNumbers())) != nil
    }
}

extension BitField {
    fileprivate func accepts(_ value: Value) -> Bool {
        (try? encode(value)) != nil
    }
}

extension Condition {
    /// Numbers under which it holds, and does not.
    fileprivate var candidates: [Int] {
        switch requirement {
        case .set: [0, 1]
        case .equal(let number): [0, 1, number]
        case .unequal(let number): [number, number == 0 ? 1 : 0]
        }
    }
}

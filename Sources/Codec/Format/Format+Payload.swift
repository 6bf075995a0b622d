import JSON

/// Converts the payload of a reading to values that can be encoded: all other members are checked and removed.
extension Format {
    /// Returns the values of a payload, without the time, the unit and the raw numbers of named values.
    ///
    /// - Throws: `EncodingError`; also for a format with positions, which only decodes.
    func content(of payload: Value) throws(EncodingError) -> Value {
        if hasPositions {
            throw .invalid(
                field: fields[0].name, expected: "a format that can be written", found: "a format with at")
        }
        guard case .record(let record) = payload else { return payload }
        return hasOneValue ? try onlyValue(of: record) : .record(try withoutNumbersOfNames(record))
    }

    private func onlyValue(of record: Record) throws(EncodingError) -> Value {
        let field = fields[0]
        let key = record["value"] == nil ? field.name : "value"
        guard let value = record[key] ?? record["number"] else {
            // The unexpected name is probably a misspelt `value`.
            let unexpected = record.names.first { !["unit", "time"].contains($0) }
            throw unexpected.map { EncodingError.unknown(field: $0, known: ["value"]) } ?? .missing(field: "value")
        }
        for member in record where member.name != key {
            switch member.name {
            case "number": try (field.meaning ?? Meaning()).check(member.value, beside: value, name: member.name)
            case "unit" where member.value != field.unit.map(Value.string):
                throw .invalid(
                    field: member.name, expected: field.unit ?? "no unit", found: member.value.description)
            case "unit", "time": break
            default: throw .unknown(field: member.name, known: ["value"])
            }
        }
        return value
    }

    private func withoutNumbersOfNames(_ record: Record) throws(EncodingError) -> Record {
        var record = record
        record["time"] = nil
        let fields = ([self] + alternatives).flatMap(\.fields)
        let names = Set(fields.flatMap(\.names))
        let meanings = fields.flatMap { field in
            [(field.name, field.meaning ?? Meaning())] + field.bits.map { ($0.name, $0.meaning) }
                + field.jsonMembers.map { ($0.name, $0.meaning) }
        }
        for (name, meaning) in meanings where meaning.values != nil && !names.contains(name + "_number") {
            guard let number = record[name + "_number"] else { continue }
            record[name + "_number"] = nil
            guard let value = record[name] else {
                record[name] = number
                continue
            }
            try meaning.check(number, beside: value, name: name + "_number")
        }
        return record
    }
}

extension Meaning {
    /// Throws if the raw number in a payload differs from the number of the named value.
    fileprivate func check(_ number: Value, beside value: Value, name: String) throws(EncodingError) {
        guard let expected = value.number(names: values), number.number() != expected else { return }
        throw .invalid(field: name, expected: expected.description, found: number.description)
    }
}

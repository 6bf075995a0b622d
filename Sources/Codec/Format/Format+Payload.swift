/// A reading's payload can be sent back as it came: what only accompanies its values is checked, and left out.
extension Format {
    /// What a payload says, without its time, its units and the numbers of its names.
    func content(of payload: Value) throws(EncodingError) -> Value {
        guard case .record(let record) = payload else { return payload }
        return hasOneValue ? try onlyValue(of: record) : .record(try withoutNumbersOfNames(record))
    }

    private func onlyValue(of record: Record) throws(EncodingError) -> Value {
        let field = fields[0]
        let key = record["value"] == nil ? field.name : "value"
        guard var value = record[key] ?? record["number"] else { throw .missing(field: "value") }
        for member in record.members where member.name != key {
            switch member.name {
            case "number": value = try field.meaning.agreed(value, member.value, name: member.name)
            case "unit" where member.value != field.meaning.unit.map(Value.string):
                throw .invalid(
                    field: member.name, expected: field.meaning.unit ?? "no unit", found: member.value.description)
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
        let meanings = fields.flatMap { [($0.name, $0.meaning)] + $0.bits.map { ($0.name, $0.meaning) } }
        for (name, meaning) in meanings where meaning.values != nil && !names.contains(name + "_number") {
            guard let number = record[name + "_number"] else { continue }
            record[name + "_number"] = nil
            record[name] = try meaning.agreed(record[name] ?? number, number, name: name + "_number")
        }
        return record
    }
}

extension Meaning {
    /// A name and the number beside it, if the one stands for the other.
    fileprivate func agreed(_ value: Value, _ number: Value, name: String) throws(EncodingError) -> Value {
        guard let expected = value.number(names: values), number.number(names: values) != expected else { return value }
        throw .invalid(field: name, expected: expected.description, found: number.description)
    }
}

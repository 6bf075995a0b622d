import JSON

extension Reading {
    /// The payload of a reading without the time: `value` and `unit`, or each field under its own name.
    ///
    /// The value of a named number is its name; the member `number` or `NAME_number` contains the number. If several
    /// fields have the same name, the last one is used.
    package var payload: Record {
        var record = Record(capacity: 4)
        switch self {
        case .value(let value, let unit):
            record["value"] = value
            if case .named(_, let number) = value { record["number"] = .number(Decimal(number)) }
            if let unit { record["unit"] = .string(unit) }
        case .fields(let members):
            for member in members {
                record[member.name] = member.value
                if case .named(_, let number) = member.value {
                    record[member.name + "_number"] = .number(Decimal(number))
                }
            }
        }
        return record
    }
}

extension Reading {
    /// The payload of a reading without the time: `value` and `unit`, or each field under its own name.
    ///
    /// A named number is its name, with its number beside it as `number` or `NAME_number`. Of fields with the same name
    /// the last one counts.
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

extension Reading {
    /// What a reading's payload carries, without the time: `value` and `unit`, or each field under its own name.
    ///
    /// A named number comes as its name, and as `number` (or `NAME_number`) beside it. Of fields with one name the last
    /// counts.
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

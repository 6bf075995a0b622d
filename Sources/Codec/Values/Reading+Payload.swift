extension Reading {
    /// What a reading's payload carries, without the time.
    package var payload: Record {
        var record = Record(capacity: 4)
        forEachMember { record[$0] = $1 }
        return record
    }

    /// Calls `body` with what a payload carries: `value` and `unit`, or each field under its own name.
    ///
    /// A named number comes as its name, and as `number` (or `NAME_number`) beside it. Of fields with one name the last
    /// counts.
    package func forEachMember(_ body: (_ name: String, _ value: Value) -> Void) {
        switch self {
        case .value(let value, let unit):
            body("value", value)
            if case .named(_, let number) = value { body("number", .number(Decimal(number))) }
            if let unit { body("unit", .string(unit)) }
        case .fields(let members):
            for member in members {
                body(member.name, member.value)
                if case .named(_, let number) = member.value {
                    body(member.name + "_number", .number(Decimal(number)))
                }
            }
        }
    }
}

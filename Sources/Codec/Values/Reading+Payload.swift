import JSON

extension Reading {
    /// The payload of a reading without the time: `value` and `unit`, or each field under its own name.
    ///
    /// The value of a named number is its name; the member `number` or `NAME_number` contains the number. If several
    /// fields have the same name, the last one is used.
    package var payload: Record {
        var record = Record(capacity: 4)
        forEachMember { record[$0] = $1 }
        return record
    }

    /// Appends the members of `payload` in the notation of JSON, each with a comma after it.
    ///
    /// The path of a notification: it makes no `Record`, because a generic container looks up its types for each
    /// reading (measured: Tests/Benchmark/README.md).
    ///
    /// - Parameters:
    ///   - text: A text in UTF-8.
    ///   - reserved: The name of a member that is left out.
    package func appendMembers(to text: inout [UInt8], without reserved: String) {
        guard hasDistinctNames else {
            for member in payload where member.name != reserved {
                member.value.append(named: member.name, to: &text)
                text.append(UInt8(ascii: ","))
            }
            return
        }
        forEachMember { name, value in
            guard name != reserved else { return }
            value.append(named: name, to: &text)
            text.append(UInt8(ascii: ","))
        }
    }

    /// Calls `body` with each name and value; a name can occur more than once.
    @inline(__always) private func forEachMember(_ body: (String, Value) -> Void) {
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

    /// Compares two names; names of different lengths are the quick case.
    private static func areEqual(_ name: String, _ other: String) -> Bool {
        name.utf8.count == other.utf8.count && name == other
    }

    /// Whether no name occurs twice; false also if that would take long to find out.
    private var hasDistinctNames: Bool {
        guard case .fields(let members) = self else { return true }
        guard members.count <= 16 else { return false }
        for (index, member) in members.enumerated() {
            if members[..<index].contains(where: { Self.areEqual($0.name, member.name) }) { return false }
            guard case .named = member.value else { continue }
            let name = member.name + "_number"
            if members.contains(where: { Self.areEqual($0.name, name) }) { return false }
        }
        return true
    }
}

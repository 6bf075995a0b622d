import JSON

/// The bytes of a question, and the numbers, texts and lists of its fields, to which its answer refers.
package struct Question: Hashable, Sendable {
    package let bytes: [UInt8]
    /// The members, with a number in place of each name of a number.
    package let members: Record
}

extension Format {
    /// Encodes the members of a question; a field with a formula of its own needs no member.
    ///
    /// - Throws: `EncodingError` for the first field that does not fit; `EncodingError.needs` with the names in a formula
    ///   that have no value.
    package func encode(_ payload: Value, in environment: Environment) throws(EncodingError) -> Question {
        let known: KnownNumbers
        do throws(MissingName) {
            known = try self.known(from: environment)
        } catch {
            throw .needs(field: error.field, error.name)
        }
        let value = try content(of: payload)
        if hasOneValue {
            var bytes: [UInt8] = []
            try fields[0].encode(value, to: &bytes, with: known)
            return Question(bytes: bytes, members: numbered(Record([(fields[0].name, value)])))
        }
        guard case .record(var record) = value else {
            throw .invalid(field: "value", expected: "an object with its fields", found: value.description)
        }
        let bytes = try encodeFields(&record, with: known)
        return Question(bytes: bytes, members: numbered(record))
    }

    private func numbered(_ record: Record) -> Record {
        let meanings = Dictionary(fields.map { ($0.name, $0.meaning) }) { first, _ in first }
        return Record(
            record.map { member in
                let number = member.value.number(names: meanings[member.name]??.values)
                return (member.name, number.map { .number($0) } ?? member.value)
            })
    }
}

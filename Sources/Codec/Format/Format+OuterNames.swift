import JSON

/// Names from outside of a format, which the caller gives a value in an `Environment`.
extension Format {
    /// A name that no earlier field of the format defines, and where the format refers to it.
    package struct OuterName: Hashable, Sendable {
        package let name: String
        /// The position of the field in `Format.fields`.
        package let index: Int
        /// The key of the configuration: `when`, `length`, `count`, `bits`, `value` or, in a nested record, `fields`.
        package let key: String
        /// Whether bytes cannot be read without a value.
        ///
        /// Without the values in its formula, a calculated value is null.
        let isRequired: Bool
    }

    /// Finds the names that no earlier field defines.
    ///
    /// - Parameters:
    ///   - fields: The fields in wire order.
    ///   - references: The references of each field.
    /// - Returns: The names, each of them once.
    static func outerNames(of fields: [Field], _ references: [[Field.Reference]]) -> [OuterName] {
        var found: [OuterName] = []
        var earlier: Set<String> = []
        for (index, field) in fields.enumerated() {
            for (key, names, isRequired) in references[index] {
                let others = names.subtracting(earlier).subtracting(key == "bits" ? field.names : [])
                for name in others.sorted() where !found.contains(where: { $0.name == name && $0.isRequired }) {
                    found.append(OuterName(name: name, index: index, key: key, isRequired: isRequired))
                }
            }
            earlier.formUnion(field.names)
        }
        return found
    }

    /// Returns the values of the names from outside of the format.
    func known(from environment: Environment) throws(MissingName) -> KnownNumbers {
        for outer in outerNames where outer.isRequired && environment[outer.name] == nil {
            throw MissingName(field: fields[outer.index].name, name: outer.name)
        }
        return KnownNumbers(environment, Set(outerNames.map(\.name)))
    }

    /// A name without a value, and the field that cannot be read or written without it.
    struct MissingName: Error {
        let field: String
        let name: String
    }

    /// Returns the names of the values in a reading, also of a single value, which has the name of its field.
    package func members(of reading: Reading) -> Record {
        switch reading {
        case .value(let value, _): Record([(fields.first?.name ?? "value", value)])
        case .fields(let members): Record(members.map { ($0.name, $0.value) })
        }
    }

    /// Returns the fields of bytes, also those that no reading shows, such as the time of a record.
    package func members(of bytes: [UInt8], in environment: Environment) throws(DecodingError) -> Record {
        let shown = Format(
            fields.map { field in
                var field = field
                if case .constant = field.content { return field }
                field.isShown = true
                return field
            })
        return shown.members(of: try shown.decode(bytes, in: environment))
    }
}

extension Field {
    /// Names of fields and bits to which a key of a field refers.
    typealias Reference = (key: String, names: Set<String>, isRequired: Bool)

    /// The names of fields and bits to which the keys of the field refer.
    package var referredNames: Set<String> { references.reduce(into: []) { $0.formUnion($1.names) } }

    /// The names of fields and bits to which the field refers, by the key of the configuration.
    var references: [Reference] {
        var references: [Reference] = []
        func refer(_ key: String, _ names: some Collection<String>, isRequired: Bool) {
            if !names.isEmpty { references.append((key, Set(names), isRequired)) }
        }
        refer("when", when.map(\.flag), isRequired: true)
        refer("bits", bits.flatMap(\.when).map(\.flag), isRequired: true)
        refer("value", assignment?.names ?? [], isRequired: false)
        refer("length", content.length?.names ?? [], isRequired: true)
        refer("count", count?.names ?? [], isRequired: true)
        switch content {
        case .formula(let formula): refer("value", formula.expression.names, isRequired: false)
        case .record(let record, _):
            for isRequired in [true, false] {
                let names = record.outerNames.filter { $0.isRequired == isRequired }.map(\.name)
                refer("fields", names, isRequired: isRequired)
            }
        case .objects(let objects):
            for layout in objects.layouts.values { refer("fields", layout.outerNames.map(\.name), isRequired: false) }
        default: break
        }
        return references
    }
}

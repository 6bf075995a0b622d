import JSON

/// The decoded value of a characteristic or of one part of an advertisement.
package enum Reading: Hashable, Sendable {
    /// One named value of a reading that has several values.
    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: Value
        /// The unit, in the spelling of Home Assistant; nil for a value without a unit.
        package let unit: String?

        package init(name: String, value: Value, unit: String? = nil) {
            self.name = name
            self.value = value
            self.unit = unit
        }
    }

    /// The only value of a format with one field.
    case value(Value, unit: String?)
    /// The fields that were present, in wire order.
    case fields([Member])

    /// The value without units, as `Format.encode(_:)` accepts it: a record if the reading has fields.
    package var value: Value {
        switch self {
        case .value(let value, _): value
        case .fields(let members): .record(Record(members.map { ($0.name, $0.value) }))
        }
    }

    /// The value of the last field with a name; nil if there is none, or if the reading has only one value.
    package subscript(field name: String) -> Value? {
        guard case .fields(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }
}

package import Bluetooth

/// The Bluetooth SIG's definition of a characteristic or a descriptor.
package struct CharacteristicDefinition: Hashable, Sendable {
    package let uuid: UUID
    /// The name that the Bluetooth SIG assigned, in lower case with underscores.
    package let name: String
    package let format: Format

    init(uuid: UUID, name: String, format: Format) {
        self.uuid = uuid
        self.name = name
        self.format = format
    }

    /// Creates the definition of a characteristic whose UUID is in the assigned numbers.
    ///
    /// - Precondition: The assigned numbers contain the name.
    init(_ name: String, _ fields: [Field], or alternatives: [Format] = []) {
        guard let uuid = AssignedNumbers.characteristics[name] else {
            preconditionFailure("the table defines \(name), which is not among the assigned numbers")
        }
        self.init(uuid: uuid, name: name, format: Format(fields, or: alternatives))
    }

    /// The same definition, for a characteristic whose readings may be split into several notifications.
    var inParts: Self {
        Self(uuid: uuid, name: name, format: format.inParts)
    }
}

extension CharacteristicDefinition: CustomStringConvertible {
    /// The UUID and the name, e.g.
    ///
    /// `2A6E temperature`.
    package var description: String { "\(uuid) \(name)" }
}

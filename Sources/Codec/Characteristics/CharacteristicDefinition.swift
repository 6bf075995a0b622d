package import Bluetooth

/// The definition of a characteristic by the Bluetooth SIG.
package struct CharacteristicDefinition: Hashable, Sendable {
    package let uuid: UUID
    /// The name of the Bluetooth SIG, in lower case with underscores.
    package let name: String
    package let format: Format

    init(uuid: UUID, name: String, format: Format) {
        self.uuid = uuid
        self.name = name
        self.format = format
    }

    /// Creates the definition of a characteristic that the assigned numbers name.
    init(_ name: String, _ fields: [Field], or alternatives: [Format] = []) {
        guard let uuid = AssignedNumbers.characteristics[name] else {
            preconditionFailure("the table defines \(name), which is not among the assigned numbers")
        }
        self.init(uuid: uuid, name: name, format: Format(fields, or: alternatives))
    }

    /// The same characteristic, whose readings may come in several parts.
    var inParts: Self {
        Self(uuid: uuid, name: name, format: format.inParts)
    }
}

extension CharacteristicDefinition: CustomStringConvertible {
    /// For example `2A6E temperature`.
    package var description: String { "\(uuid) \(name)" }
}

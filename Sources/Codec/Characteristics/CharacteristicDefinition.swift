package import Bluetooth

/// What the Bluetooth SIG laid down about a characteristic.
package struct CharacteristicDefinition: Hashable, Sendable {
    package let uuid: UUID
    /// The SIG's name, in lower case with underscores.
    package let name: String
    package let format: Format

    init(uuid: UUID, name: String, format: Format) {
        self.uuid = uuid
        self.name = name
        self.format = format
    }

    /// A characteristic that the assigned numbers name.
    init(_ name: String, _ fields: [Field], or alternatives: [Format] = []) {
        guard let uuid = AssignedNumbers.characteristics[name] else {
            preconditionFailure("the table lays out \(name), which the assigned numbers do not know")
        }
        self.init(uuid: uuid, name: name, format: Format(fields, or: alternatives))
    }

    /// The same characteristic, of which a reading may come in parts.
    var inParts: Self {
        Self(uuid: uuid, name: name, format: format.inParts)
    }

    /// The unit of a characteristic that is one value.
    package var unit: String? {
        format.hasOneValue ? format.fields[0].meaning.unit : nil
    }

    /// What a characteristic that is one value is to Home Assistant.
    package var homeAssistant: HomeAssistantClass? {
        format.hasOneValue ? format.fields[0].meaning.homeAssistant : nil
    }
}

extension CharacteristicDefinition: CustomStringConvertible {
    /// `2A6E temperature`
    package var description: String { "\(uuid) \(name)" }
}

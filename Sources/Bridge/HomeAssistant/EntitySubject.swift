internal import Bluetooth
internal import Configuration

/// What an entity is about: a characteristic, or one field of it.
struct EntitySubject: Equatable, Sendable {
    let characteristic: Configuration.Characteristic
    var field: String?
    /// Whether it is only written, and may have another entity beside it that shows what is read.
    var isCommand = false

    /// What never changes, however things are called: the UUIDs, and the field.
    var key: String {
        let place = [characteristic.service, characteristic.uuid].compactMap { $0?.description.lowercased() }
        let field = field.map { Configuration.HomeAssistant.identifier(for: $0) }
        return (place + [field].compactMap { $0 }).joined(separator: "_") + (isCommand ? "-set" : "")
    }

    /// The name that says enough as long as no other has it too.
    var shortName: String { field ?? characteristic.name }

    var fullName: String { [characteristic.name, field].compactMap { $0 }.joined(separator: "_") }
}

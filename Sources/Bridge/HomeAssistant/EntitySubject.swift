import Configuration

/// The subject of an entity: a characteristic, an advertised quantity, or one of their fields.
struct EntitySubject: Equatable, Sendable {
    let source: EntitySource
    var field: String?
    /// Whether the entity only writes; another entity may show the readings.
    var isCommand = false

    /// The key of the entity, which no renaming changes: the UUIDs and the field.
    var key: String {
        let field = field.map { Configuration.HomeAssistant.identifier(for: $0) }
        return (source.place + [field].compactMap { $0 }).joined(separator: "_") + (isCommand ? "-set" : "")
    }

    /// The name to show if no other entity of the device has the same one.
    var shortName: String { field ?? source.name }

    var fullName: String { [source.name, field].compactMap { $0 }.joined(separator: "_") }
}

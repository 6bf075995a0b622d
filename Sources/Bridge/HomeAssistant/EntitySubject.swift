internal import Configuration

/// What an entity is about: a characteristic or a quantity that is advertised, or one field of it.
struct EntitySubject: Equatable, Sendable {
    let source: EntitySource
    var field: String?
    /// Whether it is only written, and may have another entity beside it that shows what is read.
    var isCommand = false

    /// What never changes, however things are called: the UUIDs, and the field.
    var key: String {
        let field = field.map { Configuration.HomeAssistant.identifier(for: $0) }
        return (source.place + [field].compactMap { $0 }).joined(separator: "_") + (isCommand ? "-set" : "")
    }

    /// The name that says enough as long as no other has it too.
    var shortName: String { field ?? source.name }

    var fullName: String { [source.name, field].compactMap { $0 }.joined(separator: "_") }
}

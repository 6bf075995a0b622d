import Configuration

/// The subject of an entity: a characteristic, a field of a characteristic, or an advertised quantity.
package struct EntitySubject: Equatable, Sendable {
    package let source: EntitySource
    package var field: String?
    /// Whether the entity only writes the characteristic; another entity may show the readings.
    package var isCommand = false

    /// The permanent key of the entity: the place of the source and the name of the field.
    package var key: String {
        let field = field.map { Configuration.HomeAssistant.identifier(for: $0) }
        return (source.place + [field].compactMap { $0 }).joined(separator: "_") + (isCommand ? "-set" : "")
    }

    /// The name to show if no other entity of the device has the same short name.
    package var shortName: String {
        // A title replaces the name of the only field.
        source.label?.title != nil && source.onlyQuantity != nil ? source.title : field ?? source.title
    }

    package var fullName: String { [source.title, field].compactMap { $0 }.joined(separator: "_") }
}

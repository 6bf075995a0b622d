import Codec
package import Configuration

/// The subject of an entity: a characteristic, a field of a characteristic, or an advertised quantity.
package struct EntitySubject: Equatable, Sendable {
    package let source: EntitySource
    package var field: String?
    /// The names of the parts of the value, from the outermost part to the entity's own.
    package var parts: [String] = []
    /// Whether the entity only writes the characteristic; another entity may show the readings.
    package var isCommand = false

    /// The permanent key of the entity: the place of the source and the name of the field.
    package var key: String {
        let field = field.map { Configuration.HomeAssistant.identifier(for: $0) }
        // A part has another separator than a field and than the number of a characteristic's instance.
        let parts = parts.map { "--" + Configuration.HomeAssistant.identifier(for: $0) }.joined()
        return (source.place + [field].compactMap { $0 }).joined(separator: "_") + parts + (isCommand ? "-set" : "")
    }

    /// The name to show if no other entity of the device has the same short name.
    package var shortName: String {
        // A title of the source replaces the name of the only field.
        let isTitled = source.label?.title != nil && source.onlyQuantity != nil
        let name = isTitled ? source.title : fieldLabel?.title ?? field ?? source.title
        return ([name] + parts).joined(separator: "_")
    }

    package var fullName: String {
        guard field != nil else { return shortName }
        return ([source.title, fieldLabel?.title ?? field].compactMap { $0 } + parts).joined(separator: "_")
    }

    /// The icon and the initial state of the entity: the keys of the field have priority over those of the source.
    package var label: Configuration.EntityLabel? { fieldLabel?.merged(over: source.label) ?? source.label }

    /// The label of the field in the configured format; nil if there is none, and for an operation, which is no field.
    private var fieldLabel: Configuration.EntityLabel? {
        guard !isCommand, let name = field ?? source.onlyQuantity?.name else { return nil }
        return source.fieldLabels[name]?.entity
    }
}

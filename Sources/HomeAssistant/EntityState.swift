package import Codec
package import Configuration

/// The values of one characteristic that are the state of another, writable one.
package struct EntityState: Equatable, Sendable {
    private let reference: Configuration.StateReference
    /// The configured or described format; nil if it is not known.
    private let format: Format?
    package let topic: String

    package init(_ reference: Configuration.StateReference, format: Format?, topic: String) {
        self.reference = reference
        self.format = format
        self.topic = topic
    }

    /// Returns the template for the state of a written quantity; nil if no value corresponds to it.
    ///
    /// - Parameters:
    ///   - written: the written quantity; nil if its format is not known.
    ///   - isOnly: whether it is the whole written value.
    /// - Returns: The template.
    package func template(of written: Quantity?, isOnly: Bool) -> ValueTemplate? {
        let payload = reference.characteristic.publish.payload
        guard let format else { return isOnly ? ValueTemplate(.reading(payload), field: nil, form: nil) : nil }
        guard let written, let shown = reference.quantity(of: written, isOnly: isOnly, in: format) else { return nil }
        return ValueTemplate(.reading(payload), field: format.hasOneValue ? nil : shown.name, form: shown.form)
    }
}

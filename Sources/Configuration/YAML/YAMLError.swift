/// The reason why a text is not a valid YAML document, with its position.
package struct YAMLError: Error, Sendable, Equatable {
    package let position: Position
    package let message: String

    package init(_ message: String, at position: Position) {
        self.message = message
        self.position = position
    }
}

/// Why a text is no YAML document, and where that shows.
package struct YAMLError: Error, Sendable, Equatable {
    package let position: Position
    package let message: String

    package init(_ message: String, at position: Position) {
        self.message = message
        self.position = position
    }
}

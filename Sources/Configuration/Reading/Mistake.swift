/// A mistake in a file.
///
/// The description has the form of a compiler's message, so that editors can jump to the position:
/// `bluefleet.yaml:12:5: unknown key …`.
package struct Mistake: Error, Sendable, Hashable, CustomStringConvertible {
    package let file: String
    /// The position; nil if the mistake concerns the whole file.
    package let position: Position?
    package let message: String
    /// The path of a file that is named at the position and cannot be read; nil for any other mistake.
    package let unreadable: String?

    package init(file: String, position: Position?, message: String, unreadable: String? = nil) {
        self.file = file
        self.position = position
        self.message = message
        self.unreadable = unreadable
    }

    package var description: String {
        guard let position else { return "\(file): \(message)" }
        return "\(file):\(position.line):\(position.column): \(message)"
    }
}

/// One thing that is wrong with a file a person wrote.
///
/// Its description is what compilers print, so that editors can jump there: `bluefleet.yaml:12:5: unknown key …`.
package struct Mistake: Error, Sendable, Hashable, CustomStringConvertible {
    package let file: String
    /// Nil when the file as a whole is meant: it cannot be read, for instance.
    package let position: Position?
    package let message: String

    package init(file: String, position: Position?, message: String) {
        self.file = file
        self.position = position
        self.message = message
    }

    package var description: String {
        guard let position else { return "\(file): \(message)" }
        return "\(file):\(position.line):\(position.column): \(message)"
    }
}

/// A file that cannot be used, with all that is wrong with it, in the order of the file.
package struct ConfigurationError: Error, Sendable, CustomStringConvertible {
    package let mistakes: [Mistake]
    /// What was warned of beside them.
    package let warnings: [Mistake]

    /// One mistake per line.
    package var description: String {
        mistakes.map(\.description).joined(separator: "\n")
    }
}

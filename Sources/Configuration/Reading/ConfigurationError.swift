/// The mistakes of a rejected file, in the order of the file.
package struct ConfigurationError: Error, Sendable, CustomStringConvertible {
    package let mistakes: [Mistake]
    /// The warnings about the file, in the order of the file.
    package let warnings: [Mistake]

    /// One mistake per line.
    package var description: String {
        mistakes.map(\.description).joined(separator: "\n")
    }
}

/// A program that a test needs did not do its part.
package struct CommandError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

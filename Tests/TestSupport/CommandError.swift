/// The failure of a program that a test needs.
package struct CommandError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

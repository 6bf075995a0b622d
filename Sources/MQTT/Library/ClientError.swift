/// The error for settings that can never work, such as an invalid client identifier.
package struct ClientError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

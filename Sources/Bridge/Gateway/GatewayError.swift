/// The bridge cannot start, and waiting would not help.
package struct GatewayError: Error, CustomStringConvertible {
    /// What is the matter, on which object, and what to do about it.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

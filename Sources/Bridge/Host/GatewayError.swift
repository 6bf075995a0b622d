/// A failure of the start or of a change of the configuration that a retry does not fix.
package struct GatewayError: Error, CustomStringConvertible {
    /// The error message, which begins with the part of the gateway that failed, such as `mqtt:`.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

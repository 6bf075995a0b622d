/// The reason why the gateway cannot start, and will not be able to later.
package struct GatewayError: Error, CustomStringConvertible {
    /// The failure, its object, and the remedy.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

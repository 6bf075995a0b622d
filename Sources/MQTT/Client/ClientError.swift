/// The settings of a client are not usable: what is wrong, and with what.
package struct ClientError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Settings that no client can work with.
package struct ClientError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

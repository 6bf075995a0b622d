/// A header field, or a parameter of a query.
package struct HTTPField: Hashable, Sendable {
    /// The name; that of a header field of a request is in lower case.
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

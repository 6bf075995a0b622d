/// A format that contradicts itself.
package struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The field that is wrong: an index of `Format.fields`.
    package let index: Int
    /// The key of the field that is wrong, in the configuration's words: `name`, `length`, `when`.
    package let key: String
    /// What is wrong, and what to do about it.
    package let description: String

    package init(_ description: String, index: Int, key: String) {
        self.index = index
        self.key = key
        self.description = description
    }
}

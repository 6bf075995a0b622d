/// A text that is no expression.
package struct ExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and where.
    package let description: String
}

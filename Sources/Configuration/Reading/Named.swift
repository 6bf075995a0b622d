/// A value under a name of the author's choice.
package struct Named<Value: Sendable>: Sendable {
    package let name: String
    /// Where the name stands.
    package let position: Position
    package let value: Value
}

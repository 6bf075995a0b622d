/// A value with a name that the user chose.
package struct Named<Value: Sendable>: Sendable {
    package let name: String
    /// The position of the name.
    package let position: Position
    package let value: Value
}

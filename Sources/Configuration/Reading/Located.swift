/// A value and its position in the file.
package struct Located<Value: Sendable>: Sendable {
    package let value: Value
    package let position: Position

    package init(_ value: Value, at position: Position) {
        self.value = value
        self.position = position
    }
}

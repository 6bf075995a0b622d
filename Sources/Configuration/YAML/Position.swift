/// A position in a text: line and column, both counted from 1.
///
/// The column is a number of characters, not of bytes.
package struct Position: Sendable, Hashable, Comparable {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package static let start = Position(line: 1, column: 1)

    package static func < (left: Position, right: Position) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

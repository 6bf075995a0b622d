/// A position in a text: line and column, both counted from 1.
///
/// The column is a number of characters, not of bytes.
package struct Position: Sendable, Hashable, Comparable {
    /// The number of the file among the files that are read together, counted from 0.
    package let file: Int
    package let line: Int
    package let column: Int

    package init(file: Int = 0, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    package static let start = Position(line: 1, column: 1)

    package static func < (left: Position, right: Position) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}

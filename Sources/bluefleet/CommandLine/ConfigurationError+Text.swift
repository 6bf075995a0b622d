internal import Configuration

extension Mistake {
    /// Its line, as a terminal can show it: a file may be called whatever somebody likes.
    var text: String { description.printable }
}

extension ConfigurationError {
    /// One mistake per line.
    var text: String { mistakes.map(\.text).joined(separator: "\n") }
}

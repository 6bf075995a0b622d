/// One thing the program does: its row in the table of commands, from which parsing and help are made.
///
/// A command's value is made of what was typed and holds it checked; `run` then does the work.
protocol Command: Sendable {
    static var name: String { get }
    /// One line, in lower case, without a full stop.
    static var summary: String { get }
    /// What else there is to know, as paragraphs.
    static var details: [String] { get }
    static var operands: [Operand] { get }
    /// Its own options; `--help` goes without saying.
    static var options: [Option] { get }
    /// Whole command lines that work as they are.
    static var examples: [String] { get }

    /// - Throws: `Failure` with the status `usage` or `badData` when what was typed does not make sense.
    init(_ arguments: Arguments) throws(Failure)

    /// Does the work; returning means that it is done.
    func run() throws(Failure)
}

extension Command {
    static var details: [String] { [] }
    static var operands: [Operand] { [] }
    static var options: [Option] { [] }
}

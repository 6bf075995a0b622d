/// A command of the program: its row in the table of commands, which defines its arguments and its help.
///
/// The initializer checks the arguments; `run` executes the command.
protocol Command: Sendable {
    static var name: String { get }
    /// One line that begins with a verb, in lower case and without a full stop.
    static var summary: String { get }
    /// Further paragraphs of the help.
    static var details: [String] { get }
    static var operands: [Operand] { get }
    /// The options without `--help`, which every command has.
    static var options: [Option] { get }
    /// Complete command lines, for the help text and the manual page.
    static var examples: [String] { get }

    /// - Throws: `Failure` with the status `usage` or `badData` for invalid arguments.
    init(_ arguments: Arguments) throws(Failure)

    /// Executes the command.
    func run() throws(Failure)
}

extension Command {
    static var details: [String] { [] }
    static var operands: [Operand] { [] }
    static var options: [Option] { [] }

    /// The operands and options as they are typed, for the usage of the command.
    static var usage: [String] { operands.map(\.usage) + options.map { "[\($0.usage)]" } }
}

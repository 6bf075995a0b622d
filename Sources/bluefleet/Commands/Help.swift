/// `bluefleet help`, and what `--help` shows: made from the table of commands.
struct Help: Command {
    static let name = "help"
    static let summary = "this overview, or all about one command"
    static let operands = [command]
    static let examples = ["bluefleet help decode"]

    private static let command = Operand("COMMAND", "the command to tell about", isOptional: true)

    private let command: (any Command.Type)?

    init(_ arguments: Arguments) throws(Failure) {
        if let name = arguments[optional: Self.command] {
            command = try Program.command(named: name)
        } else {
            command = nil
        }
    }

    func run() {
        StandardStream.output.print(command.map(Self.text(for:)) ?? Self.overview)
    }
}

extension Help {
    /// All commands, a line each.
    static var overview: String {
        let commands = rows(Program.commands.map { ($0.name, $0.summary) })
        return """
            Bluefleet bridges fleets of Bluetooth LE sensors to MQTT.

            Usage: bluefleet COMMAND [OPTION…]

            Commands
            \(commands)

            A first look, without any hardware
              bluefleet demo

            More about a command: bluefleet COMMAND --help
            """
    }

    /// All about one command.
    static func text(for command: any Command.Type) -> String {
        var sections = ["\(Program.name) \(command.name): \(command.summary)", usage(of: command)]
        sections += command.details.map { Paragraph($0).lines().joined(separator: "\n") }
        if !command.operands.isEmpty { sections.append(rows(command.operands.map { ($0.name, $0.summary) })) }
        sections.append("Options\n" + rows((command.options + [.help]).map { ($0.usage, $0.summary) }))
        let title = command.examples.count == 1 ? "Example" : "Examples"
        sections.append(([title] + command.examples.map { "  \($0)" }).joined(separator: "\n"))
        return sections.joined(separator: "\n\n")
    }

    private static func usage(of command: any Command.Type) -> String {
        let words = command.operands.map(\.usage) + command.options.map { "[\($0.usage)]" }
        let line = ([Program.name, command.name] + words).joined(separator: " ")
        return Paragraph(line).lines(labelled: "Usage:", indent: 7).joined(separator: "\n")
    }

    /// Two columns: names, and what they are.
    private static func rows(_ rows: [(name: String, summary: String)]) -> String {
        let indent = (rows.map(\.name.count).max() ?? 0) + 4
        return rows.flatMap { Paragraph($0.summary).lines(labelled: "  " + $0.name, indent: indent) }
            .joined(separator: "\n")
    }
}

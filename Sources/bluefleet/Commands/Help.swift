import Bridge
import Codec
import Configuration
import Contract

/// `bluefleet help` and the texts of `--help`, which are generated from the table of commands.
struct Help: Command {
    static let name = "help"
    static let summary = "prints this overview, the help for a command, or a reference"
    static let operands = [command]
    static let options = [manual, completion, reference, example, fleet, mqtt, devices]
    static let examples = [
        "bluefleet help decode", "bluefleet help --man | man -l -",
        "bluefleet help --completion fish | source",
    ]

    private static let command = Operand("COMMAND", "the command to explain", isOptional: true)

    private static let manual = Option("man", "print the manual page for man")
    private static let completion = Option("completion", value: "SHELL", "print completions for bash, zsh or fish")

    private static let reference = Option("configuration", "print the reference of the configuration in Markdown")
    private static let example = Option("example", "print a configuration that explains every key")

    private static let fleet = Option("fleet", "print the reference of the files for simulate in Markdown")

    private static let mqtt = Option("mqtt", "all topics, requests, events and error codes, as Markdown")

    private static let devices = Option("devices", "all supported devices and characteristics, as Markdown")

    private enum Subject {
        case overview
        case command(any Command.Type)
        case manual
        case completion(Completion)
        case reference
        case example
        case fleet
        case mqtt
        case devices
    }

    private let subject: Subject

    init(_ arguments: Arguments) throws(Failure) {
        let given = Self.options.filter { arguments.contains($0) }.map { "--\($0.name)" }
        if given.count > 1 {
            throw Failure(.usage, "\(given.joined(separator: " and ")) exclude each other: remove one")
        }
        if let option = given.first, let word = arguments[optional: Self.command] {
            throw Failure(.usage, "unexpected argument \(word.quotedForMessage) with \(option)")
        }
        if arguments.contains(Self.manual) {
            subject = .manual
        } else if arguments.contains(Self.reference) {
            subject = .reference
        } else if arguments.contains(Self.example) {
            subject = .example
        } else if arguments.contains(Self.fleet) {
            subject = .fleet
        } else if arguments.contains(Self.mqtt) {
            subject = .mqtt
        } else if arguments.contains(Self.devices) {
            subject = .devices
        } else if let shell = arguments[Self.completion] {
            guard let completion = Completion(rawValue: shell) else {
                let shells = Completion.allCases.map(\.rawValue)
                throw Failure(.usage, "--completion: \(InvalidValue(unknown: "shell", shell, among: shells).message)")
            }
            subject = .completion(completion)
        } else if let name = arguments[optional: Self.command] {
            subject = .command(try Program.command(named: name))
        } else {
            subject = .overview
        }
    }

    func run() {
        switch subject {
        case .overview: StandardStream.output.print(Self.overview)
        case .command(let command): StandardStream.output.print(Self.text(for: command))
        case .manual: StandardStream.output.print(ManualPage.text(of: Program.commands))
        case .completion(let completion): StandardStream.output.print(completion.script(for: Program.commands))
        case .reference: StandardStream.output.write(ConfigurationReference.configuration.markdown)
        case .example: StandardStream.output.write(ConfigurationReference.configuration.example)
        case .fleet: StandardStream.output.write(ConfigurationReference.fleet.markdown)
        case .mqtt: StandardStream.output.write(MQTTReference.markdown)
        case .devices: StandardStream.output.write(DeviceReference.markdown)
        }
    }
}

extension Help {
    /// The overview of all commands, one per line.
    static var overview: String {
        let commands = rows(Program.commands.map { ($0.name, $0.summary) })
        return """
            Bluefleet bridges fleets of Bluetooth LE sensors to MQTT.

            Usage: bluefleet COMMAND [OPTION…]

            Commands
            \(commands)

            Try it without hardware
              bluefleet demo

            Help for a command: bluefleet COMMAND --help
            """
    }

    /// Returns the help text for one command.
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
        let label = "Usage: \(Program.name) \(command.name)"
        return Paragraph(words: command.usage).lines(labelled: label, indent: label.count + 1)
            .map(\.trimmingTrailingSpaces).joined(separator: "\n")
    }

    /// Returns a table with two columns: names and summaries.
    private static func rows(_ rows: [(name: String, summary: String)]) -> String {
        let indent = (rows.map(\.name.count).max() ?? 0) + 4
        return rows.flatMap { Paragraph($0.summary).lines(labelled: "  " + $0.name, indent: indent) }
            .joined(separator: "\n")
    }
}

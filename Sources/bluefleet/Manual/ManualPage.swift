/// The manual page in the format of man(7), generated from the table of commands.
struct ManualPage {
    private var lines: [String] = []

    /// Returns the text of the page about a table of commands.
    static func text(of commands: [any Command.Type]) -> String {
        var page = ManualPage()
        page.write(commands)
        return page.lines.joined(separator: "\n")
    }

    private mutating func write(_ commands: [any Command.Type]) {
        lines.append(".TH BLUEFLEET 1 \"\" \"Bluefleet \(Program.version)\" \"User Commands\"")
        section("NAME", "\(Program.name) - bridges fleets of Bluetooth LE sensors to MQTT")
        lines += [".SH SYNOPSIS", ".B \(Program.name)", ".I COMMAND", "[\\fIOPTION\\fR...]"]
        section(
            "DESCRIPTION",
            """
            Connects to Bluetooth LE peripherals through bluetoothd, reads and subscribes to the configured \
            characteristics, and publishes their values over MQTT. It receives commands over MQTT, too.
            """)
        lines.append(".SH COMMANDS")
        for command in commands { write(command) }
        lines.append(".SH EXIT STATUS")
        for (status, meaning) in ExitStatus.meanings { item("\(status.rawValue)", meaning) }
        lines.append(".SH FILES")
        item(ConfigurationFile.standard, "the default configuration; see --config")
        item("/var/lib/bluefleet", "the default folder for the state that survives a restart; see state_directory")
        lines.append(".SH ENVIRONMENT")
        item("DBUS_SYSTEM_BUS_ADDRESS", "the D-Bus of bluetoothd; --bus has priority")
        item("NO_COLOR", "disables colours if it is set")
        section("SEE ALSO", "bluetoothctl(1), mosquitto(8), mosquitto_sub(1)")
    }

    private mutating func write(_ command: any Command.Type) {
        let synopsis = ([Program.name, command.name] + command.usage).joined(separator: " ")
        lines.append(".SS \(Self.escaped(synopsis))")
        paragraph("\(command.summary.prefix(1).uppercased())\(command.summary.dropFirst()).")
        for detail in command.details { paragraph(detail) }
        for operand in command.operands { item(operand.usage, operand.summary) }
        for option in command.options { item(option.usage, option.summary) }
        lines += [".PP", command.examples.count == 1 ? "Example:" : "Examples:", ".PP", ".nf"]
        lines += command.examples.map { "    " + Self.escaped($0) } + [".fi"]
    }

    private mutating func section(_ title: String, _ text: String) {
        lines += [".SH \(title)", Self.escaped(text)]
    }

    private mutating func paragraph(_ text: String) {
        lines += [".PP", Self.escaped(text)]
    }

    private mutating func item(_ label: String, _ text: String) {
        lines += [".TP", ".B \(Self.escaped(label))", Self.escaped(text)]
    }

    /// Returns a text as a literal for troff.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "…": result += "..."
            default: result.append(character)
            }
        }
        // A dot or apostrophe at the beginning of a line starts a request of troff.
        return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&" + result : result
    }
}

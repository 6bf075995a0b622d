/// The manual page, in the language of man(7), made from the table of commands.
struct ManualPage {
    private var lines: [String] = []

    /// The page as a text.
    static var text: String {
        var page = ManualPage()
        page.write()
        return page.lines.joined(separator: "\n")
    }

    private mutating func write() {
        lines.append(".TH BLUEFLEET 1 \"\" \"Bluefleet \(Program.version)\" \"User Commands\"")
        section("NAME", "\(Program.name) - bridges fleets of Bluetooth LE sensors to MQTT")
        lines += [".SH SYNOPSIS", ".B \(Program.name)", ".I COMMAND", "[\\fIOPTION\\fR...]"]
        section(
            "DESCRIPTION",
            """
            Runs beside bluetoothd, holds a connection to each peripheral that is to have one, reads and subscribes to \
            what the configuration names, and publishes it as readings over MQTT. Commands come back the same way.
            """)
        lines.append(".SH COMMANDS")
        for command in Program.commands { write(command) }
        lines.append(".SH EXIT STATUS")
        for (status, meaning) in ExitStatus.meanings { item("\(status.rawValue)", meaning) }
        lines.append(".SH FILES")
        item(ConfigurationFile.standard, "the configuration, where --config names no other")
        item("/var/lib/bluefleet", "what must survive a restart, where the configuration names no other folder")
        lines.append(".SH ENVIRONMENT")
        item("DBUS_SYSTEM_BUS_ADDRESS", "the bus on which bluetoothd is, where --bus names no other")
        item("NO_COLOR", "when it is set, nothing is emphasized by colour")
        section("SEE ALSO", "bluetoothctl(1), mosquitto(8), mosquitto_sub(1)")
    }

    private mutating func write(_ command: any Command.Type) {
        lines.append(".SS \(Self.escaped(Help.synopsis(of: command)))")
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

    /// A line of text that troff shows as it is.
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
        // A dot or an apostrophe at its beginning would make it a request.
        return result.hasPrefix(".") || result.hasPrefix("'") ? "\\&" + result : result
    }
}

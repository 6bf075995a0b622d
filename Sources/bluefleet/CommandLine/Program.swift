internal import Codec
internal import Configuration

/// The executable: finds the command that was typed and runs it.
enum Program {
    static let name = "bluefleet"
    static let version = "0.1.0"

    /// The table of commands, in the order of help.
    static let commands: [any Command.Type] = [
        Demo.self, Run.self, Check.self, Scan.self, Inspect.self, Read.self, Write.self,
        Watch.self, Pair.self, Unpair.self, Doctor.self, Decode.self, Encode.self, Simulate.self, Help.self,
        Version.self,
    ]

    /// Options that are commands: what people type since other programs take it.
    private static let aliases = ["--help": Help.name, "-h": Help.name, "--version": Version.name]

    /// Does what was typed.
    static func main() -> ExitStatus {
        StandardStream.reserve()
        if let word = CommandLine.foreignWord {
            // What Swift makes of it would name another file.
            let message = "\(word.quotedForMessage) is not UTF-8: give the file another name"
            return report(Failure(.usage, message), by: name)
        }
        return run(CommandLine.arguments)
    }

    /// Does what a command line says, and tells how it went.
    static func run(_ line: [String]) -> ExitStatus {
        guard !line.isEmpty else {
            // Swift reads it there, and finds not even the program's name.
            let message = "/proc is not there, so the command line cannot be read: sudo mount -t proc proc /proc"
            return report(Failure(.unavailable, message), by: Self.name)
        }
        let words = line.dropFirst()
        guard let first = words.first else {
            StandardStream.error.print(Help.overview)
            return .usage
        }
        do throws(Failure) {
            let command = try command(named: aliases[first] ?? first)
            return run(command, Array(words.dropFirst()))
        } catch {
            return report(error, by: Self.name)
        }
    }

    /// - Throws: `Failure` with the command that was probably meant.
    static func command(named name: String) throws(Failure) -> any Command.Type {
        if let command = commands.first(where: { $0.name == name }) { return command }
        let (noun, known) =
            name.hasPrefix("-") ? ("option", ["--help", "--version"]) : ("command", commands.map { $0.name })
        throw Failure(.usage, Complaint(unknown: noun, name, among: known).sentence)
    }

    private static func run(_ command: any Command.Type, _ words: [String]) -> ExitStatus {
        do throws(Failure) {
            let arguments = try Arguments(words, for: command)
            if arguments.wantsHelp {
                StandardStream.output.print(Help.text(for: command))
            } else {
                try command.init(arguments).run()
            }
            if let reason = StandardStream.reasonOfLoss {
                throw Failure(.unavailable, "cannot write the result: \(reason)")
            }
            return .done
        } catch {
            return report(error, by: "\(name) \(command.name)")
        }
    }

    private static func report(_ failure: Failure, by name: String) -> ExitStatus {
        if let text = failure.text(by: name, wraps: StandardStream.error.isTerminal) {
            StandardStream.error.print(text)
        }
        if failure.status == .usage { StandardStream.error.print("Try: \(name) --help") }
        return failure.status
    }
}

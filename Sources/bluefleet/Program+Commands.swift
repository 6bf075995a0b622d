import Codec
import Configuration

/// Finds the command of the command line and runs it.
extension Program {
    /// The table of commands, in the order of help.
    static let commands: [any Command.Type] = [
        Demo.self, Run.self, Decide.self, DashboardCommand.self, Check.self, Scan.self, Inspect.self, Read.self,
        Write.self, Watch.self, Pair.self, Unpair.self, Status.self, Doctor.self, Spool.self, Release.self,
        Restore.self, Decode.self, Encode.self, Profiles.self, Try.self, CopyProfile.self, Simulate.self, Help.self,
        Version.self,
    ]

    /// Options that are aliases of commands.
    private static let aliases = [
        "--help": Help.name, "-h": Help.name, "--version": Version.name, "-v": Version.name, "-V": Version.name,
    ]

    /// Runs the command line of the process.
    static func main() -> ExitStatus {
        StandardStream.reserve()
        if let word = CommandLine.invalidArgument {
            // Swift replaces the invalid bytes, so that the argument would name another file.
            let message = "\(word.quotedForMessage) is not valid UTF-8: rename the file"
            return report(Failure(.usage, message), by: name)
        }
        return run(CommandLine.arguments)
    }

    /// Runs a command line, reports its failure, and returns the exit status.
    static func run(_ line: [String]) -> ExitStatus {
        guard !line.isEmpty else {
            // Swift reads the command line from /proc. Without /proc, there is no argument at all.
            let message = "cannot read the command line: /proc is not mounted: sudo mount -t proc proc /proc"
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

    /// Returns the command with this name.
    ///
    /// - Throws: `Failure` for an unknown command, with the most similar name.
    static func command(named name: String) throws(Failure) -> any Command.Type {
        if let command = commands.first(where: { $0.name == name }) { return command }
        if let advice = CommandElsewhere.advice[name] {
            throw Failure(.usage, "unknown command \(name.quotedForMessage): \(advice)")
        }
        if let first = commands.first(where: { $0.options.contains { "--\($0.name)" == name } }) {
            let option = first.options.first { "--\($0.name)" == name }?.usage ?? name
            throw Failure(
                .usage, "\(name) must follow a command, e.g. \(Program.name) \(first.name) \(option)")
        }
        let (noun, known) =
            name.hasPrefix("-") ? ("option", ["--help", "--version"]) : ("command", commands.map { $0.name })
        throw Failure(.usage, InvalidValue(unknown: noun, name, among: known).message)
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

extension CommandLine {
    /// The first argument that is not valid UTF-8, with replacement characters; nil if there is none.
    fileprivate static var invalidArgument: String? {
        for index in 0..<Int(argc) {
            guard let word = unsafe unsafeArgv[index], unsafe String(validatingCString: word) == nil else { continue }
            return unsafe String(cString: word)
        }
        return nil
    }
}

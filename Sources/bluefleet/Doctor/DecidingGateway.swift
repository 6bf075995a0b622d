import Configuration
import EventLoop
import System

/// Whether the gateway of this machine only decides for others (`bluefleet decide`): it needs no Bluetooth.
enum DecidingGateway {
    /// The command that runs such a gateway.
    static let command = "decide"

    static let finding = Diagnosis.ok("Bluetooth", "not checked: this gateway only decides (bluefleet decide)")

    /// Returns whether the process that uses the state folder only decides, or, without a process, the systemd service.
    static func runs(
        _ configuration: Configuration, on loop: EventLoop, isolation: isolated (any Actor)? = #isolation
    ) async -> Bool {
        if let words = words(ofProcessIn: configuration.stateDirectory) { return onlyDecides(words) }
        let question = ["show", "bluefleet.service", "--property=ExecStart", "--value"]
        guard let path = ChildProcess.path(of: "systemctl"),
            case .text(let text)? = await ProgramOutput.of(path, question, on: loop)
        else { return false }
        return onlyDecides(service: text)
    }

    /// Returns whether the value of `ExecStart`, as systemctl prints it, runs `bluefleet decide`.
    static func onlyDecides(service text: String) -> Bool {
        let words = text.split(separator: " ").map { String($0) }.drop { !$0.hasPrefix("argv[]=") }
        return onlyDecides(words.prefix { $0 != ";" })
    }

    private static func onlyDecides(_ words: some Collection<String>) -> Bool { words.dropFirst().first == command }

    /// Returns the command line of the bridge that uses a state folder; nil: none does.
    private static func words(ofProcessIn folder: String) -> [String]? {
        let lock = TextFile.read("\(folder)/lock")
        guard let number = lock?.split(whereSeparator: \.isWhitespace).first.flatMap({ Int($0) }),
            let line = TextFile.read("/proc/\(number)/cmdline")
        else { return nil }
        let words = line.split(separator: "\0").map { String($0) }
        // Another program can have got the number of a bridge that has ended.
        guard let program = words.first, program.split(separator: "/").last == "bluefleet" else { return nil }
        return words
    }
}

import CEmbeddedFiles
import Configuration
import EventLoop
import Glibc
import Log
import System

/// The program: reads the command line and the configuration, and runs the dashboard until a signal.
enum DashboardProgram {
    static let name = "bluefleet-dashboard"
    /// The version in the top entry of config/debian/changelog.
    static let version = unsafe Changelog.version(in: String(cString: changelog()))

    private static let usage = "usage: \(name) [--config FILE]"
    private static let standardFile = "/etc/bluefleet/bluefleet.yaml"

    /// A reason to end the program, with its exit status (sysexits.h).
    struct Fault: Error {
        let status: Int32
        let message: String
    }

    /// Runs the command line of the process, and returns the exit status.
    static func main() -> Int32 {
        do throws(Fault) {
            return try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            print("\(name): \(error.message)", to: STDERR_FILENO)
            return error.status
        }
    }

    private static func run(_ words: [String]) throws(Fault) -> Int32 {
        if words.contains("--help") || words.contains("-h") {
            print("\(usage)\n\nbluefleet help dashboard has more.", to: STDOUT_FILENO)
            return 0
        }
        if words == ["--version"] {
            print("\(name) \(version)", to: STDOUT_FILENO)
            return 0
        }
        let configuration = try configuration(in: try file(in: words))
        Log.level = Log.Level(rawValue: configuration.logLevel.rawValue) ?? .info
        do {
            try EventLoop.run { home in try await run(configuration, home.loop) }
            return 0
        } catch let fault as Fault {
            throw fault
        } catch {
            throw Fault(status: EX_UNAVAILABLE, message: "\(error)")
        }
    }

    /// Returns the path of the configuration: `FILE`, `--config FILE` or `--config=FILE`.
    private static func file(in words: [String]) throws(Fault) -> String {
        switch (words.first, words.count) {
        case (nil, _): return standardFile
        case ("--config"?, 2): return words[1]
        case (let word?, 1) where word.hasPrefix("--config=") && word.count > 9: return String(word.dropFirst(9))
        case (let word?, 1) where !word.hasPrefix("-"): return word
        default: throw Fault(status: EX_USAGE, message: "unexpected arguments\n\(usage)")
        }
    }

    /// Reads the sections `mqtt` and `dashboard`; the files that other sections name belong to the bridge.
    ///
    /// Without the usual file, the defaults apply: a broker on this machine.
    private static func configuration(in file: String) throws(Fault) -> Configuration {
        let environment = EnvironmentVariable.ofProcess
        let isMissing = unsafe access(file, F_OK) != 0
        do throws(ConfigurationError) {
            return isMissing && (file == standardFile || environment[EnvironmentVariable.brokerURL] != nil)
                ? try Configuration(environment: environment)
                : try Configuration(file: file, environment: environment)
        } catch {
            throw Fault(
                status: EX_CONFIG,
                message: error.mistakes.map(\.description).joined(separator: "\n"))
        }
    }

    private static func run(
        _ configuration: Configuration, _ loop: EventLoop, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        signal(SIGPIPE, SIG_IGN)
        let ends = Mailbox<Void>()
        try loop.onSignals([SIGINT, SIGTERM]) { _ in ends.put(()) }
        let service = try DashboardService(configuration, on: loop)
        try await service.start()
        _ = await ends.next()
        await service.stop()
    }

    private static func print(_ text: String, to descriptor: Int32) {
        let bytes = Array("\(text)\n".utf8)
        _ = unsafe write(descriptor, bytes, bytes.count)
    }
}

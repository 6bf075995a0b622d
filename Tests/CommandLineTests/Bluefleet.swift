import Foundation
import TestSupport

/// The program as it was built, run from outside as a person runs it.
struct Bluefleet {
    struct Outcome {
        let status: Int32
        let output: String
        let error: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// Beside the bundle of tests.
    static let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("bluefleet")

    /// The project's folder.
    static let project = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Runs a command to its end.
    static func run(_ arguments: String...) throws -> Outcome {
        try run(arguments)
    }

    /// Runs a command to its end.
    static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        let command = try Command(path.path, arguments, environment: environment, output: .ownPipe)
        // A command here says less than a pipe holds: one pipe may wait for the other.
        let (output, error) = (command.output.rest(), command.error.rest())
        return Outcome(status: command.wait().shellStatus, output: output, error: error)
    }

    /// Calls `body` with the path of a file that holds a text.
    static func withFile<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).yaml")
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        return try body(file.path)
    }
}

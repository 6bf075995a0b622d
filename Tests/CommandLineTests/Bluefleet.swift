import Foundation
import TestSupport

/// The built program, run as a process.
struct Bluefleet {
    struct Outcome {
        let status: Int32
        let output: String
        let error: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// The path of the program, in the folder of the test bundle.
    static let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("bluefleet")

    /// The folder of the project.
    static let project = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Runs a command until it ends.
    static func run(_ arguments: String...) throws -> Outcome {
        try run(arguments)
    }

    /// Runs a command until it ends.
    static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        let command = try Command(path.path, arguments, environment: environment, output: .ownPipe)
        // The output is shorter than the buffer of a pipe, so that the pipes can be read one after the other.
        let (output, error) = (command.output.rest(), command.error.rest())
        return Outcome(status: command.wait().shellStatus, output: output, error: error)
    }

    /// Calls `body` with the path of a file that contains a text.
    static func withFile<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).yaml")
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        return try body(file.path)
    }
}

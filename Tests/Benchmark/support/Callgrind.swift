import Foundation
package import System
import TestSupport

/// A program that runs in callgrind (Debian: `valgrind`).
///
/// Counting begins with `start`.
package struct Callgrind {
    private let process: Int32
    /// The path of the profiles, without their number.
    private let file: String
    /// The number of written profiles.
    private var written = 0

    /// - Parameters:
    ///   - process: The process of valgrind, which was started with `words(writingTo:)`.
    ///   - file: The path of the profiles.
    package init(_ process: Int32, writingTo file: String) {
        (self.process, self.file) = (process, file)
    }

    /// Returns the words before the command of the program.
    package static func words(writingTo file: String) -> [String] {
        ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--demangle=no", "--callgrind-out-file=\(file)"]
    }

    /// Returns the path of a copy of a program without debugging information.
    ///
    /// Valgrind reads debugging information slowly, and does not understand every version of it.
    package static func strippedCopy(of program: String, in folder: TemporaryFolder) throws -> String {
        let copy = folder.path("stripped")
        let strip = try Command("strip", ["--strip-debug", "-o", copy, program])
        guard strip.wait() == .code(0) else {
            throw BenchmarkError("cannot strip \(program): \(strip.output.rest())")
        }
        return copy
    }

    /// Begins to count.
    package func start() throws { try control("instrumentation", "on") }

    /// Sets all counts to zero.
    package func reset() throws { try control("zero") }

    /// Returns the counts since the last profile, or since `start` or `reset`.
    package mutating func profile() throws -> CallgrindProfile {
        try control("dump")
        written += 1
        return CallgrindProfile(try String(contentsOfFile: "\(file).\(written)", encoding: .utf8))
    }

    /// Sends callgrind a command, and waits for its answer.
    ///
    /// Valgrind 3.19 then sleeps for 100 ms.
    private func control(_ words: String...) throws {
        let command = try Command("vgdb", ["--pid=\(process)"] + words)
        let output = command.waitForOutput()
        guard command.wait() == .code(0) else { throw BenchmarkError("callgrind does not answer: \(output)") }
    }
}

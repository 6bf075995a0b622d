import Foundation
import TestSupport

/// The virtual machine with the real bluetoothd.
///
/// The machine boots once and runs all scenarios. Each test reads the result of its scenario.
actor Machine {
    static let shared = Machine()

    /// The result of one scenario, from `scenarios.jsonl`.
    struct Outcome: Decodable {
        let name: String
        let seconds: Double
        /// The reason and the recorded events and logs; empty after success.
        let failure: String
        /// The reason why the scenario cannot run on this machine; empty if the scenario ran.
        let skipped: String
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private var run: Task<[String: Outcome], any Error>?

    /// Returns the outcomes by scenario, after the machine has ended.
    ///
    /// - Throws: ``Failure`` if the machine did not run to its end.
    func outcomes() async throws -> [String: Outcome] {
        let run = self.run ?? Task { try await boot() }
        self.run = run
        return try await run.value
    }

    private func boot() async throws -> [String: Outcome] {
        try? FileManager.default.removeItem(at: Project.results)
        let said = try await execute(
            Project.boot,
            [
                Project.results.path, "python", Project.guest.appending(path: "main.py").path, Project.bluefleet.path,
            ])
        guard let lines = try? String(contentsOf: Project.results.appending(path: "scenarios.jsonl"), encoding: .utf8)
        else {
            throw Failure(description: "no scenario ran. \(said)")
        }
        let decoder = JSONDecoder()
        let outcomes = try lines.split(separator: "\n").map { try decoder.decode(Outcome.self, from: Data($0.utf8)) }
        return Dictionary(outcomes.map { ($0.name, $0) }) { $1 }
    }

    /// Runs a program, prints its lines as they arrive, and returns all lines, also after a failure.
    private func execute(_ program: URL, _ arguments: [String]) async throws -> String {
        // The machine ends with the parent process, `swift test`: this process still runs if `swift test` is killed.
        let command = try Command(
            program.path, arguments,
            environment: ["BLUEFLEET_MACHINE_OWNER": "\(getppid())", "BLUEFLEET_MACHINE_CLOCK": Project.machineClock])
        // Foundation's Process sometimes misses the end of a child while exit tests run (Swift 6.3.1).
        return await withCheckedContinuation { done in
            Thread.detachNewThread {
                var lines: [String] = []
                while let line = command.output.line() {
                    FileHandle.standardOutput.write(Data("on a real bluetoothd: \(line)\n".utf8))
                    lines.append(line)
                }
                command.wait()
                done.resume(returning: lines.joined(separator: "\n"))
            }
        }
    }
}

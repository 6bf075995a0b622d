import Foundation
import TestSupport

/// The virtual machine with the real bluetoothd: it boots once, all scenarios run in it, each test reads its result.
actor Machine {
    static let shared = Machine()

    /// How one scenario went, as the machine's `scenarios.jsonl` says.
    struct Outcome: Decodable {
        let name: String
        let seconds: Double
        /// Empty when all was well; else the reason, and what everybody wrote meanwhile.
        let failure: String
        /// Why it cannot be played on this machine; empty when it was.
        let notPlayed: String
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private var run: Task<[String: Outcome], any Error>?

    /// The outcomes by scenario, after the machine's run has ended.
    ///
    /// - Throws: ``Failure`` with the reason and the place to look at, if the machine did not run to its end.
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

    /// Runs a program, shows its lines as they come, and returns them, whatever its exit code.
    private func execute(_ program: URL, _ arguments: [String]) async throws -> String {
        // Not this process but `swift test`, whose end this one outlives when that is killed.
        let command = try Command(
            program.path, arguments, environment: ["BLUEFLEET_MACHINE_OWNER": "\(getppid())"])
        // Foundation's Process was seen to miss the end of a child beside exit tests (Swift 6.3.1).
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

import Foundation
import TestSupport
import Testing

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

    /// Starts the machine if it has not started.
    func start() {
        guard run == nil else { return }
        try? FileManager.default.removeItem(at: Project.results)
        // The machine ends with the parent process, `swift test`: this process still runs if `swift test` is killed.
        let command = Result {
            try Command(
                Project.boot.path,
                [
                    Project.results.path, "python", Project.guest.appending(path: "main.py").path,
                    Project.bluefleet.path,
                ],
                environment: [
                    "BLUEFLEET_MACHINE_OWNER": "\(getppid())", "BLUEFLEET_MACHINE_CLOCK": Project.machineClock,
                ])
        }
        run = Task { try await outcomes(of: command.get()) }
    }

    /// Returns the outcomes by scenario, after the machine has ended.
    ///
    /// - Throws: ``Failure`` if the machine did not run to its end.
    func outcomes() async throws -> [String: Outcome] {
        start()
        return try await run?.value ?? [:]
    }

    private func outcomes(of command: Command) async throws -> [String: Outcome] {
        let said = await command.lines { line in
            FileHandle.standardOutput.write(Data("on a real bluetoothd: \(line)\n".utf8))
        }
        guard let lines = try? String(contentsOf: Project.results.appending(path: "scenarios.jsonl"), encoding: .utf8)
        else {
            throw Failure(description: "no scenario ran. \(said.joined(separator: "\n"))")
        }
        let decoder = JSONDecoder()
        let outcomes = try lines.split(separator: "\n").map { try decoder.decode(Outcome.self, from: Data($0.utf8)) }
        return Dictionary(outcomes.map { ($0.name, $0) }) { $1 }
    }
}

/// Starts the machine before the first test of all targets.
///
/// Tests of other targets block the threads that run tests. A machine that its own tests start would start after them.
struct MachineTrait: SuiteTrait {
    func prepare(for _: Test) async throws {
        await Machine.shared.start()
    }
}

extension Trait where Self == MachineTrait {
    static var machine: Self { MachineTrait() }
}

import Foundation
import TestSupport
import Testing

/// The browser, which plays all scenes once. Each test reads the outcome of its scene.
actor Browser {
    static let shared = Browser()

    /// The outcome of a scene, a line of JSON.
    struct Outcome: Decodable {
        let name: String
        let seconds: Double
        /// The errors of the page, the failed step and the ends of the logs; empty after success.
        let failure: String
        /// Facts such as measured times.
        let notes: String
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    private static let cache = tests.appending(path: "../../.build/tests").standardized
    /// The folder of the Python program.
    static let program = tests.appending(path: "page")
    static let results = cache.appending(path: "browser-results")
    private static let python = cache.appending(path: "browser/bin/python")
    /// The folder with the programs that were built with the tests.
    private static let built = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    private var run: Task<[String: Outcome], any Error>?

    /// Starts the browser if it has not started.
    func start() {
        guard run == nil else { return }
        run = Task { try await Self.play() }
    }

    /// Returns the outcomes by scene, after all scenes have been played.
    ///
    /// - Throws: ``Failure`` if a program is missing or does not start.
    func outcomes() async throws -> [String: Outcome] {
        start()
        return try await run?.value ?? [:]
    }

    private static func play() async throws -> [String: Outcome] {
        guard FileManager.default.isExecutableFile(atPath: python.path) else {
            throw Failure(description: "playwright is not installed (no \(python.path)): run config/setup --tests")
        }
        let command = try Command(
            python.path, [program.appending(path: "main.py").path, built.path, results.path])
        let lines = await command.lines { line in
            guard let outcome = outcome(in: line) else { return }
            let text = "\(outcome.failure.isEmpty ? "ok" : "failed") \(outcome.seconds) s \(outcome.name)"
            let notes = outcome.notes.isEmpty ? "" : ", \(outcome.notes)"
            FileHandle.standardOutput.write(Data("in a browser: \(text)\(notes)\n".utf8))
        }
        let outcomes = lines.compactMap(outcome(in:))
        guard !outcomes.isEmpty else { throw Failure(description: lines.joined(separator: "\n")) }
        return Dictionary(outcomes.map { ($0.name, $0) }) { $1 }
    }

    private static func outcome(in line: String) -> Outcome? {
        try? JSONDecoder().decode(Outcome.self, from: Data(line.utf8))
    }
}

/// Starts the browser before the first test of all targets.
///
/// Tests of other targets block the threads that run tests. A browser that its own tests start would start after them.
struct BrowserTrait: SuiteTrait {
    func prepare(for _: Test) async throws {
        await Browser.shared.start()
    }
}

extension Trait where Self == BrowserTrait {
    static var browser: Self { BrowserTrait() }
}

package import Foundation
import TestSupport

/// The programs of the benchmark.
package struct Programs: Sendable {
    /// The commands of the bridges, by kind; a program and its arguments.
    private let bridges: [Subject.Kind: [String]]
    /// The command of the org.bluez.
    package let flood: [String]
    /// Whether the reference is the one in C.
    package let hasOwnReference: Bool

    /// Uses the built programs of a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder of the built programs.
    ///   - earlier: The folder of the program `bluefleet` before a change; nil: without a comparison.
    ///   - reference: Another reference bridge, called with the same arguments; nil: the program written in C.
    ///   - flood: Another source of notifications that owns org.bluez, with the same arguments and commands; nil: the
    ///     program written in C.
    package init(in folder: URL, before earlier: URL? = nil, reference: [String]? = nil, flood: [String]? = nil) {
        func command(_ name: String, in folder: URL) -> [String] { [folder.appendingPathComponent(name).path] }
        var bridges: [Subject.Kind: [String]] = [
            .bluefleet: command("bluefleet", in: folder),
            .reference: reference ?? command("BenchmarkReference", in: folder),
        ]
        bridges[.before] = earlier.map { command("bluefleet", in: $0) }
        self.bridges = bridges
        self.flood = flood ?? command("BenchmarkFlood", in: folder)
        hasOwnReference = reference == nil
    }

    /// The bridges to measure, in the order of the table.
    package var kinds: [Subject.Kind] { Subject.Kind.allCases.filter { bridges[$0] != nil } }

    /// Returns the command of a bridge: a program and its first arguments.
    package func command(of kind: Subject.Kind) throws -> [String] {
        guard let command = bridges[kind] else { throw BenchmarkError("there is no program for '\(kind.rawValue)'") }
        return command
    }

    // MARK: Building

    /// The folder of this program.
    package static let ownFolder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// The project's folder.
    private static let project = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Builds programs as they are shipped; takes seconds if they are built already.
    ///
    /// - Parameters:
    ///   - products: The names of the programs.
    ///   - environment: The environment variables for Package.swift.
    /// - Returns: The folder of the programs.
    /// - Throws: `BenchmarkError` with the output of the build if it fails.
    package static func build(_ products: [String], environment: [String: String] = [:]) throws -> URL {
        // The folder of config/package, which builds the bridge in the same way.
        let scratch = project.appendingPathComponent(".build/package").path
        for product in products {
            Progress.show("building \(product)")
            let build = try Command(
                "swift",
                [
                    "build", "--package-path", project.path, "--scratch-path", scratch, "-c", "release",
                    "--static-swift-stdlib", "--product", product,
                ], environment: environment)
            var output: [String] = []
            while let line = build.output.line() {
                Progress.show(line)
                output.append(line)
            }
            guard build.wait() == .code(0) else {
                throw BenchmarkError("cannot build \(product): \(output.joined(separator: "\n"))")
            }
        }
        return URL(fileURLWithPath: scratch + "/release")
    }
}

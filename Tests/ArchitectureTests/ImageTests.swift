import Foundation
import Testing

/// The Dockerfile compared with the files of the project; needs no engine that builds images.
@Suite struct ImageTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func lines(of file: String) throws -> [Substring] {
        try String(contentsOf: root.appending(path: "docker/\(file)"), encoding: .utf8).split(separator: "\n")
    }

    @Test func `what the Dockerfile copies from the project is there, and goes to the builder`() throws {
        let allowed = try Self.lines(of: "Dockerfile.dockerignore").filter { $0.hasPrefix("!") }.map { $0.dropFirst() }
        let sources = try Self.lines(of: "Dockerfile")
            .filter { $0.hasPrefix("COPY ") && !$0.contains("--from=") }
            .flatMap { $0.split(separator: " ").dropFirst().dropLast() }
        #expect(!sources.isEmpty)
        for source in sources {
            #expect(FileManager.default.fileExists(atPath: Self.root.appending(path: String(source)).path))
            #expect(allowed.contains { source == $0 || source.hasPrefix($0 + "/") }, "\(source)")
        }
    }
}

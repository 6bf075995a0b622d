import Foundation
import Testing

/// The worst patterns of unclear comments, and references that a reader cannot follow.
@Suite struct WordsTests {
    /// Comments that begin with one of these words have no subject.
    private static let vagueStarts: Set<Substring> = [
        "That", "Those", "Whom", "Whoever", "Whose", "What", "Who", "Whatever", "And", "Nobody", "Somebody",
    ]

    private static let files: [URL] = ["Sources", "Tests"].flatMap { folder -> [URL] in
        let walk = FileManager.default.enumerator(
            at: Sources.root.appending(path: folder), includingPropertiesForKeys: nil)
        return (walk?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    }

    private static let documents: [String] = [
        "README.md", "Sources/README.md", "Tests/README.md", "Tests/Benchmark/README.md", ".github/CONTRIBUTING.md",
        "config/configuration.md", "config/dashboard.md", "config/devices.md", "config/fleet-reference.md",
        "config/installing.md",
        "config/mqtt.md",
        "config/recipes.md", "config/reference.md", "config/security.md", "config/troubleshooting.md",
        "docker/addon/DOCS.md",
        "docker/addon/README.md", "Tests/Pitfalls.md",
    ]

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Sources.root.appending(path: path), encoding: .utf8)
    }

    /// Returns the first word of a comment that does not continue the comment above it.
    private static func firstWord(of line: Substring, after previous: Substring?) -> Substring? {
        func comment(_ line: Substring) -> Substring? {
            let text = line.drop { $0 == " " }
            guard text.hasPrefix("//") else { return nil }
            return text.drop { $0 == "/" }.drop { $0 == " " }
        }
        guard let text = comment(line), !text.isEmpty else { return nil }
        if let previous, let above = comment(previous), !above.isEmpty { return nil }
        return text.prefix { $0.isLetter }
    }

    @Test func `a comment begins with its subject`() throws {
        #expect(Self.files.count > 500)
        for file in Self.files where file.lastPathComponent != "WordsTests.swift" {
            var previous: Substring?
            for (index, line) in try String(contentsOf: file, encoding: .utf8)
                .split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            {
                if let word = Self.firstWord(of: line, after: previous), Self.vagueStarts.contains(word) {
                    Issue.record("\(file.lastPathComponent):\(index + 1): \(line)")
                }
                previous = line
            }
        }
    }

    @Test func `an import needs no access modifier to be internal`() throws {
        for file in Self.files where file.lastPathComponent != "SourceLineTests.swift" {
            for line in try SourceLine.all(of: file) where line.code.hasPrefix("internal import") {
                Issue.record("\(file.lastPathComponent): \(line.code)")
            }
        }
    }

    @Test(arguments: documents)
    func `each link of a document leads to a file and a heading of the project`(path: String) throws {
        let folder = (path as NSString).deletingLastPathComponent
        for match in try Self.text(path).matches(of: /\]\(([^)\s]+)\)/) where !match.1.contains("://") {
            let parts = match.1.split(separator: "#", omittingEmptySubsequences: false)
            let target = parts[0].isEmpty ? path : (folder as NSString).appendingPathComponent(String(parts[0]))
            let file = Sources.root.appending(path: target).standardizedFileURL
            guard FileManager.default.fileExists(atPath: file.path) else {
                Issue.record("\(path): \(match.1) does not exist")
                continue
            }
            guard parts.count > 1 else { continue }
            let headings = try String(contentsOf: file, encoding: .utf8).matches(of: /\n#+ ([^\n]+)/).map { heading in
                heading.1.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
                    .replacing(" ", with: "-")
            }
            #expect(headings.contains(String(parts[1])), "\(path): \(match.1) has no such heading")
        }
    }

    @Test func `README.md has at most 150 lines`() throws {
        #expect(try Self.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
    }
}

import Foundation
import JSON
import Testing

@testable import Contract

/// The texts in the examples of the documentation are texts that the program sends.
@Suite struct ExampleTextTests {
    /// Texts of the operating system, of SQLite and of libcurl, which the program repeats.
    private static let libraryTexts: Set = [
        "No space left on device", "database or disk is full", "database disk image is malformed",
        "Timeout was reached",
    ]

    /// The texts of the program, split at colons; NUL stands for an interpolated value.
    private static let pieces: Set<String> = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        let walk = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        var pieces: Set<String> = []
        for case let file as URL in walk ?? .init() where file.pathExtension == "swift" {
            guard !file.path.contains("Contract/Reference/"), !file.lastPathComponent.hasSuffix("+Reference.swift"),
                let source = try? String(contentsOf: file, encoding: .utf8)
            else { continue }
            // The examples themselves follow this line.
            let code = source.components(separatedBy: "// MARK: Documentation")[0]
            for text in Literals.all(in: code) { pieces.formUnion(text.components(separatedBy: ": ")) }
        }
        return pieces
    }()

    /// Whether a part of a text is the name of an object, or is in the sources.
    private static func isKnown(_ part: String) -> Bool {
        !part.contains(" ") || libraryTexts.contains(part) || pieces.contains { Literals.matches($0, part) }
    }

    private static func check(_ text: String) {
        for part in text.components(separatedBy: ": ") { #expect(isKnown(part), "'\(part)' in: \(text)") }
    }

    @Test(arguments: GatewayEvent.Kind.allCases)
    func `reasons and remedies in the examples of an event are texts of the program`(kind: GatewayEvent.Kind) {
        for member in kind.reference.examples.flatMap(\.members) where ["reason", "remedy"].contains(member.name) {
            Self.check(member.value.string ?? "")
        }
    }

    @Test func `reasons and messages in the examples of topics and responses are texts of the program`() throws {
        let blocks = MQTTReference.markdown.components(separatedBy: "```json\n").dropFirst()
        var count = 0
        for block in blocks {
            let example = block.components(separatedBy: "\n```")[0]
            guard let json = try? JSON(parsing: example) else { continue }
            for text in [json["reason"], json["error"]?["message"]].compactMap({ $0?.string }) {
                Self.check(text)
                count += 1
            }
        }
        #expect(count > 5)
    }

    @Test func `a text that the program does not contain is found`() {
        #expect(!Self.isKnown("the scan reports nothing"))
        #expect(!Self.isKnown("the connection was found"))
        #expect(Self.isKnown("the scan receives no advertisements"))
    }
}

/// The string literals of a source file.
private enum Literals {
    /// Returns the literals of one line, and those that `+` continues on the next line.
    static func all(in source: String) -> [String] {
        let joined = source.replacing(/"\s*\+\s*"/, with: "")
        return joined.split(separator: "\n").flatMap { line(Array($0)) }
    }

    private static func line(_ line: [Character]) -> [String] {
        var literals: [String] = []
        var text: String?
        var index = 0
        while index < line.count {
            let character = line[index]
            let next = index + 1 < line.count ? line[index + 1] : " "
            index += 1
            guard text != nil else {
                if character == "\"" { text = "" }
                continue
            }
            switch (character, next) {
            case ("\\", "("):
                var depth = 0
                repeat {
                    if line[index] == "(" { depth += 1 }
                    if line[index] == ")" { depth -= 1 }
                    index += 1
                } while depth > 0 && index < line.count
                text?.append("\0")
            case ("\\", _):
                text?.append(next)
                index += 1
            case ("\"", _):
                literals.append(text ?? "")
                text = nil
            default: text?.append(character)
            }
        }
        return literals
    }

    /// Whether a text is a literal with any values in the places of NUL.
    static func matches(_ literal: String, _ text: String) -> Bool {
        let fixed = literal.components(separatedBy: "\0")
        guard fixed.reduce(0, { $0 + $1.count }) >= 6 else { return false }
        guard fixed.count > 1 else { return literal == text }
        guard text.hasPrefix(fixed[0]), text.hasSuffix(fixed[fixed.count - 1]) else { return false }
        var rest = text[...]
        for part in fixed where !part.isEmpty {
            guard let range = rest.range(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }
}

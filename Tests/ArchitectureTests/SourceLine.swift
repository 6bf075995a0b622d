import Foundation

/// A line of Swift, as far as the rules of the architecture are about it.
struct SourceLine {
    /// The line without its comment.
    let code: String

    init(_ line: some StringProtocol) {
        let text = String(line)
        // The slashes in a URL begin none.
        let comment = text.ranges(of: "//").first { !text[..<$0.lowerBound].hasSuffix(":") }
        code = String(text[..<(comment?.lowerBound ?? text.endIndex)])
    }

    static func all(of file: URL) throws -> [SourceLine] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { SourceLine($0) }
    }

    /// The module that the line imports, whatever attributes and modifiers are before it and which kind is named after it.
    var importedModule: String? {
        guard code.contains("import ") else { return nil }
        return code.prefixMatch(of: /\s*(?:@?\w+(?:\([^)]*\))?\s+)*import\s+(?:\w+\s+)?(\w+)/).map { String($0.1) }
    }

    /// Whether the line starts a task that does not prefer the loop, or waits by other means than the loop's clock.
    var leavesLoop: Bool {
        guard code.contains("Task") || code.contains("async let") else { return false }
        // A function that returns a task starts none by that.
        let code = code.replacing(/->\s*Task<.*?>/, with: "")
        // Begun by the name of a type or of a method; `Task<Void, Never>?` begins none.
        let begun = /\b(?:Task|addTask\w*)(?:<.*>)?\s*(?:\{|\((?!executorPreference: (?:loop\.)?tasks\)))/
        let named = /\bTask(?:<.*>)?\.(?:init|detached|immediate|immediateDetached|sleep)\b/
        return [begun, named, /\basync let\b/].contains { code.contains($0.wordBoundaryKind(.simple)) }
    }
}

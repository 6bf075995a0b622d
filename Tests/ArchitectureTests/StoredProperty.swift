import Foundation

/// A stored property of a class or actor, as its declaration in the source reads.
struct StoredProperty {
    /// The type that holds it.
    let owner: String
    /// `class` or `actor`.
    let ownerKind: String
    let name: String
    let isConstant: Bool
    /// Whether only its own file can write it.
    let isWrittenInItsFileOnly: Bool
    let file: String

    /// Returns the stored properties of the classes and actors of a file; a nested type owns its own.
    ///
    /// The source is formatted by `swift format`: a declaration begins on a line of its own.
    static func all(in source: String, file: String) -> [StoredProperty] {
        var properties: [StoredProperty] = []
        // The open braces: a type, or nil for any other scope.
        var scopes: [Scope?] = []
        var pending: Scope?
        for line in SourceText.withoutTextAndComments(source).split(separator: "\n") {
            let declaration = Declaration(line)
            if let declaration, declaration.isType {
                let isPrivate = declaration.isPrivate || scopes.contains { $0?.isPrivate ?? false }
                pending = Scope(kind: declaration.keyword, name: declaration.name, isPrivate: isPrivate)
            } else if let owner = scopes.last ?? nil, ["class", "actor"].contains(owner.kind),
                let declaration, declaration.isStoredProperty
            {
                properties.append(
                    StoredProperty(
                        owner: owner.name, ownerKind: owner.kind, name: declaration.name,
                        isConstant: declaration.keyword == "let",
                        isWrittenInItsFileOnly: owner.isPrivate || declaration.isPrivate, file: file))
            }
            for byte in line.utf8 {
                if byte == UInt8(ascii: "{") {
                    scopes.append(pending)
                    pending = nil
                } else if byte == UInt8(ascii: "}") {
                    _ = scopes.popLast()
                }
            }
        }
        return properties
    }

    private struct Scope {
        let kind: String
        let name: String
        /// Whether only its file sees the type.
        let isPrivate: Bool
    }
}

/// A line that declares a type or a property: modifiers, a keyword, a name and the rest.
private struct Declaration {
    let modifiers: [Substring]
    let keyword: String
    let name: String
    private let rest: Substring

    private static let types: Set<Substring> = ["class", "actor", "struct", "enum", "protocol", "extension"]
    private static let modifiers: Set<Substring> = [
        "public", "package", "internal", "private", "fileprivate", "static", "final", "lazy", "weak", "unowned",
        "nonisolated", "override", "indirect", "private(set)", "fileprivate(set)", "package(set)", "unowned(unsafe)",
        "nonisolated(unsafe)",
    ]

    /// Nil for a line that declares neither.
    init?(_ line: Substring) {
        let words = line.split(separator: " ")
        guard let index = words.firstIndex(where: { !Self.modifiers.contains($0) && !$0.hasPrefix("@") }),
            index + 1 < words.count, Self.types.contains(words[index]) || ["var", "let"].contains(words[index])
        else { return nil }
        modifiers = Array(words[..<index])
        keyword = String(words[index])
        name = String(words[index + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "(" || $0 == "." })
        rest = line[words[index + 1].startIndex...]
    }

    var isType: Bool { Self.types.contains(Substring(keyword)) }

    /// Whether a modifier is `private`, `private(set)` or `fileprivate`.
    var isPrivate: Bool { modifiers.contains { $0.contains("private") } }

    /// Whether a property of an instance keeps a value: it has no body that computes it.
    var isStoredProperty: Bool {
        guard !isType, !modifiers.contains("static"), !modifiers.contains("override") else { return false }
        guard let brace = rest.firstIndex(of: "{") else { return true }
        let body = rest[brace...]
        return rest[..<brace].contains("=") || body.contains("didSet") || body.contains("willSet")
    }
}

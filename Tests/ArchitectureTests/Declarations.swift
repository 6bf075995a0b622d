/// The names that a file of a folder declares and uses.
struct Declarations {
    let folder: String
    /// The names of the types at the left margin that other files can use.
    private(set) var types: Set<String> = []
    /// The names of the members and nested types in extensions that other files can use.
    private(set) var members: Set<String> = []
    /// All names that the file declares.
    private(set) var all: Set<String> = []
    /// The names after a point.
    private(set) var namedMembers: Set<String> = []
    /// The names that begin with a capital letter and are not after a point.
    private(set) var namedTypes: Set<String> = []

    init(_ source: String, in folder: String) {
        self.folder = folder
        var isInExtension = false
        for line in SourceText.withoutTextAndComments(source).utf8.split(separator: UInt8(ascii: "\n")) {
            let words = Word.all(in: line)
            guard let first = words.first, !words.contains(where: { $0.text == "import" }) else { continue }
            let indent = line.prefix { $0 == UInt8(ascii: " ") }.count
            let isPrivate = words.contains { $0.text == "private" || $0.text == "fileprivate" }
            if indent == 0 { isInExtension = words.contains { $0.text == "extension" } && !isPrivate }
            for (word, next) in zip(words, words.dropFirst()) where !word.isMember && Self.keywords.contains(word.text)
            {
                all.insert(next.text)
                guard !isPrivate else { continue }
                if indent == 0, word.text != "func", word.text != "var", word.text != "let" { types.insert(next.text) }
                if indent == 4, isInExtension { members.insert(next.text) }
            }
            if first.text == "case" { all.formUnion(words.filter(\.isListed).map(\.text)) }
            for word in words {
                if word.isMember {
                    namedMembers.insert(word.text)
                } else if word.text.first?.isUppercase == true {
                    namedTypes.insert(word.text)
                }
            }
        }
        namedTypes.subtract(all)
    }

    private static let keywords: Set = [
        "struct", "class", "enum", "actor", "protocol", "typealias", "func", "var", "let", "case",
    ]
}

/// A word of a line of Swift.
private struct Word {
    let text: String
    /// Whether the word is after a point.
    let isMember: Bool
    /// Whether the word is after a comma.
    let isListed: Bool

    static func all(in line: Substring.UTF8View) -> [Word] {
        var words: [Word] = []
        var start: Substring.UTF8View.Index?
        // The last byte before the word that is no space.
        var before: UInt8?
        for index in line.indices {
            let byte = line[index]
            let isLetter =
                byte == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
            if isLetter {
                start = start ?? index
            } else {
                if let begin = start { words.append(Word(line[begin..<index], before)) }
                if start != nil { before = nil }
                start = nil
                if byte != UInt8(ascii: " ") { before = byte }
            }
        }
        if let begin = start { words.append(Word(line[begin...], before)) }
        return words
    }

    private init(_ text: Substring.UTF8View, _ before: UInt8?) {
        self.text = String(Substring(text))
        isMember = before == UInt8(ascii: ".")
        isListed = before == UInt8(ascii: ",")
    }
}

/// A pattern for names: `*` stands for any text, `?` for one character.
package struct Glob: Sendable, Hashable {
    package let pattern: String

    package init(_ pattern: String) {
        self.pattern = pattern
    }

    package func matches(_ text: String) -> Bool {
        var (pattern, text) = (pattern[...], text[...])
        // If the text after the last `*` does not match, the search resumes at this position: the `*` then matches one
        // more character.
        var retry: (pattern: Substring, text: Substring)?
        while let character = text.first {
            if let expected = pattern.first, expected == "*" {
                pattern = pattern.dropFirst()
                retry = (pattern, text)
            } else if let expected = pattern.first, expected == "?" || expected == character {
                pattern = pattern.dropFirst()
                text = text.dropFirst()
            } else if let last = retry {
                retry = (last.pattern, last.text.dropFirst())
                (pattern, text) = (last.pattern, last.text.dropFirst())
            } else {
                return false
            }
        }
        return pattern.allSatisfy { $0 == "*" }
    }
}

import Codec

/// The reason why a value of a file or of a command line is rejected.
///
/// The reader of the key adds the position in the file; a command adds the name of the option.
package struct InvalidValue: Error, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    package let message: String

    package var description: String { message }

    package init(stringLiteral message: String) {
        self.message = message
    }

    /// Creates the message about a word that is not an expected word; the most similar expected word is the advice.
    package init(expected words: [String], found text: String) {
        let advice = text.nearest(in: words).map { ": did you mean \($0.quotedForMessage)?" } ?? ""
        let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
        message = "expected \(list), found \(text.quotedForMessage)\(advice)"
    }

    /// Creates the message about an unknown name; the advice is the most similar known name, else all known names.
    package init(unknown noun: String, _ name: String, among names: [String]) {
        let advice =
            if let spaces = name.spaceAdvice {
                spaces
            } else if let nearest = name.nearest(in: names) {
                "did you mean \(nearest.quotedForMessage)?"
            } else if names.isEmpty {
                "none is defined"
            } else {
                "known: \(names.joined(separator: ", "))"
            }
        message = "unknown \(noun) \(name.quotedForMessage): \(advice)"
    }
}

import Codec

/// What is wrong with a value, as a sentence that the reader of its key completes with the position.
package struct Complaint: Error, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    package let sentence: String

    package var description: String { sentence }

    package init(stringLiteral sentence: String) {
        self.sentence = sentence
    }

    /// The complaint about a word that is none of those expected, with the one that was probably meant.
    package init(expected words: [String], found text: String) {
        let advice = text.nearest(in: words).map { ": did you mean \($0.quotedForMessage)?" } ?? ""
        let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
        sentence = "expected \(list), found \(text.quotedForMessage)\(advice)"
    }

    /// The complaint about a name that is none of many.
    package init(unknown noun: String, _ name: String, among names: [String]) {
        let advice =
            if let nearest = name.nearest(in: names) {
                "did you mean \(nearest.quotedForMessage)?"
            } else if names.isEmpty {
                "there is none"
            } else {
                "known: \(names.joined(separator: ", "))"
            }
        sentence = "unknown \(noun) \(name.quotedForMessage): \(advice)"
    }
}

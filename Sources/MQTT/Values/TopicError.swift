/// A text that is not a valid topic or topic filter.
package struct TopicError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Checks the rules that topics and filters share (MQTT 5, 1.5.4 and 4.7.3).
    ///
    /// - Parameters:
    ///   - text: A topic or a filter.
    ///   - kind: The noun for the message: `topic` or `filter`.
    /// - Throws: `TopicError` for the first rule that the text breaks.
    static func check(_ text: String, _ kind: String) throws(TopicError) {
        if text.isEmpty { throw TopicError("a \(kind) must not be empty") }
        if text.utf8.count > 65_535 { throw TopicError("a \(kind) must not be longer than 65,535 bytes") }
        for scalar in text.unicodeScalars {
            guard scalar.properties.generalCategory != .control, !scalar.properties.isNoncharacterCodePoint else {
                let number = "U+" + String(scalar.value, radix: 16, uppercase: true)
                throw TopicError(
                    "the \(kind) '\(text.filter(\.isPrintable))' contains the character \(number), which MQTT does not allow"
                )
            }
        }
    }
}

extension Character {
    fileprivate var isPrintable: Bool {
        unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

/// A text cannot be a topic or a filter.
package struct TopicError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }

    /// What topics and filters have in common (MQTT 5, 1.5.4 and 4.7.3).
    static func check(_ text: String, _ kind: String) throws(TopicError) {
        if text.isEmpty { throw TopicError("a \(kind) may not be empty") }
        if text.utf8.count > 65_535 { throw TopicError("a \(kind) may not be longer than 65,535 bytes") }
        for scalar in text.unicodeScalars {
            guard scalar.properties.generalCategory != .control, !scalar.properties.isNoncharacterCodePoint else {
                let number = "U+" + String(scalar.value, radix: 16, uppercase: true)
                throw TopicError(
                    "the \(kind) '\(text.filter(\.isPrintable))' has the character \(number), which MQTT forbids")
            }
        }
    }
}

extension Character {
    fileprivate var isPrintable: Bool {
        unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

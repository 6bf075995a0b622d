/// A text that is not made of pairs of hexadecimal digits.
package struct HexadecimalError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case noDigit
        /// A digit without a second one.
        case single
    }

    package let text: String
    /// The character that has no place, counted from 0.
    package let position: Int
    package let reason: Reason
}

extension HexadecimalError: CustomStringConvertible {
    /// Three lines: what is wrong, the text, and a mark below the place.
    package var description: String {
        let character = text[text.index(text.startIndex, offsetBy: position)]
        let complaint =
            switch reason {
            case .noDigit: "“\(character)” is no hexadecimal digit"
            case .single: "a byte has two digits, “\(character)” is alone"
            }
        return "\(complaint) (character \(position + 1)):\n\(text)\n" + String(repeating: " ", count: position) + "^"
    }
}

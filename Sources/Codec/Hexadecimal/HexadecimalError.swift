/// A text that is not made of pairs of hexadecimal digits.
package struct HexadecimalError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// A character that is no digit.
        case strange(Character)
        /// A digit without a second one.
        case single
    }

    /// The character that has no place, counted from 0.
    package let position: Int
    package let reason: Reason
}

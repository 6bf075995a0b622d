/// The number of six digits that is shown on one side of a pairing and entered, or compared, on the other.
///
/// Source: Core Specification, Vol 3, Part H, 2.3.5.3.
package struct Passkey: Hashable, Sendable {
    package let value: UInt32

    /// - Returns: nil for more than six digits.
    package init?(_ value: Int) {
        guard 0...999_999 ~= value else { return nil }
        self.value = UInt32(value)
    }

    /// Reads six digits; spaces among them do not count: `012 345`.
    package init?(_ text: some StringProtocol) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") }
        guard digits.count == 6, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        value = digits.reduce(0) { $0 * 10 + UInt32($1 - UInt8(ascii: "0")) }
    }
}

extension Passkey: CustomStringConvertible {
    /// All six digits.
    package var description: String { String(value).leftPadded(to: 6) }
}

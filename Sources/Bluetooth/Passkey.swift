/// The six-digit number of a pairing: one device shows it, and the user enters or confirms it on the other device.
///
/// Source: Core Specification, Vol 3, Part H, 2.3.5.3.
package struct Passkey: Hashable, Sendable {
    /// The number, from 0 to 999,999.
    package let value: UInt32

    /// Creates a passkey from a number; nil unless it is from 0 to 999,999.
    package init?(_ value: Int) {
        guard 0...999_999 ~= value else { return nil }
        self.value = UInt32(value)
    }

    /// Creates a passkey from six digits, with or without spaces, for example `012 345`; nil for any other text.
    package init?(_ text: some StringProtocol) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") }
        guard digits.count == 6, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        value = digits.reduce(0) { $0 * 10 + UInt32($1 - UInt8(ascii: "0")) }
    }
}

extension Passkey: CustomStringConvertible {
    /// The six digits, with leading zeros.
    package var description: String { String(value).leftPadded(to: 6) }
}

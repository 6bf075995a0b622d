extension JSON {
    /// A number, kept as it is written: 21.53 never becomes 21.530000000000001, and 21.50 keeps its last digit.
    package struct Number: Hashable, Sendable {
        /// As it stands in JSON.
        package let text: String

        package init(_ value: some BinaryInteger) {
            text = String(value)
        }

        /// The shortest decimal that reads back as `value`; nil for infinities and what is not a number.
        package init?(_ value: Double) {
            guard value.isFinite else { return nil }
            text = "\(value)"
        }

        /// A number as JSON writes it; nil for any other text.
        package init?(text: String) {
            guard Self.isNumber(text.utf8) else { return nil }
            self.text = text
        }

        /// The value, if it is a whole one in the range of `Int`, however it is written.
        package var int: Int? {
            Int(text) ?? double.flatMap(Int.init(exactly:))
        }

        /// The value, as near as a `Double` comes to it; nil when it is too large for one.
        package var double: Double? {
            guard let value = Double(text), value.isFinite else { return nil }
            return value
        }

        /// Whether the characters are a number by RFC 8259, section 6.
        static func isNumber(_ text: some Collection<UInt8>) -> Bool {
            var rest = text[...]
            skip("-", in: &rest)
            if !skip("0", in: &rest), !skipDigits(in: &rest) { return false }
            if skip(".", in: &rest), !skipDigits(in: &rest) { return false }
            if skip("e", in: &rest) || skip("E", in: &rest) {
                if !skip("+", in: &rest) { skip("-", in: &rest) }
                if !skipDigits(in: &rest) { return false }
            }
            return rest.isEmpty
        }

        @discardableResult
        private static func skip<Text: Collection<UInt8>>(
            _ character: Unicode.Scalar, in text: inout Text
        ) -> Bool where Text.SubSequence == Text {
            guard text.first == UInt8(ascii: character) else { return false }
            text = text.dropFirst()
            return true
        }

        private static func skipDigits<Text: Collection<UInt8>>(in text: inout Text) -> Bool
        where Text.SubSequence == Text {
            let rest = text.drop { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            defer { text = rest }
            return rest.startIndex != text.startIndex
        }
    }

    /// The number that `text` writes, digit by digit.
    ///
    /// - Precondition: `text` is a JSON number: for what this program has written itself.
    package static func number(verbatim text: String) -> JSON {
        guard let number = Number(text: text) else { preconditionFailure("'\(text)' is not a JSON number") }
        return .number(number)
    }
}

extension JSON {
    /// A number in its original notation: 21.53 never becomes 21.530000000000001, and 21.50 never becomes 21.5.
    package struct Number: Hashable, Sendable {
        /// The number as JSON text.
        package let text: String

        package init(_ value: some BinaryInteger) {
            text = String(value)
        }

        /// Creates the shortest decimal that reads back as `value`; nil if it is infinite or NaN.
        package init?(_ value: Double) {
            guard value.isFinite else { return nil }
            text = "\(value)"
        }

        /// Creates a number from JSON text; nil if the text is not a JSON number.
        package init?(text: String) {
            guard Self.isNumber(text.utf8) else { return nil }
            self.text = text
        }

        /// The value, if it is an integer in the range of `Int`, in any notation.
        package var int: Int? {
            Int(text) ?? double.flatMap(Int.init(exactly:))
        }

        /// The `Double` nearest to the value; nil beyond its range.
        package var double: Double? {
            guard let value = Double(text), value.isFinite else { return nil }
            return value
        }

        /// Whether a text is a JSON number.
        ///
        /// Source: RFC 8259, 6.
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

    /// Returns a number with exactly these digits, for text that the program has formatted itself.
    ///
    /// - Precondition: `text` is a JSON number.
    package static func number(verbatim text: String) -> JSON {
        guard let number = Number(text: text) else { preconditionFailure("'\(text)' is not a JSON number") }
        return .number(number)
    }
}

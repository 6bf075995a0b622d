import Bridge
import Codec
import Configuration
import JSON

/// A value typed in JSON, with its text, so that messages can mark the position of a mistake.
struct JSONText {
    let text: String
    let value: Value

    /// - Parameters:
    ///   - text: The typed text.
    ///   - format: The format of the value, for advice; nil if it is not known.
    /// - Throws: `Failure`, which marks the position of invalid JSON.
    init(_ text: String, of format: Format?) throws(Failure) {
        self.text = text
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: text)
        } catch {
            let offset = String(decoding: text.utf8.prefix(error.offset), as: UTF8.self).count
            throw Failure(
                .badData,
                "\(error.kind): \(error.reason)\(Self.advice(for: text, of: format))\n\(Excerpt(text, at: offset))")
        }
        guard let value = Value(json) else { throw Failure(.badData, "a number in the JSON has more than 38 digits") }
        self.value = value
    }

    /// Returns the offset of the name of a member; 0 if there is no such member.
    func offset(ofMember name: String) -> Int {
        let quoted = "\"\(name)\""
        guard let start = text.indices.first(where: { text[$0...].hasPrefix(quoted) }) else { return 0 }
        return text.distance(from: text.startIndex, to: start)
    }

    /// Returns advice for the most frequent mistakes: a word or the name of a member without quotation marks, and a decimal
    /// comma; empty for other text.
    private static func advice(for text: String, of format: Format?) -> String {
        if text.hasPrefix("{"), !text.contains("\"") {
            return "; put names and texts in quotation marks: '{\"on\":true}'"
        }
        let corrected = String(text.map { $0 == "," ? "." : $0 })
        if corrected != text, let number = Decimal(corrected) { return "; use a decimal point: \(number)" }
        let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
        if digits.count > 1, digits.count.isMultiple(of: 2), digits.allSatisfy(\.isHexDigit),
            text.contains(where: \.isNumber)
        {
            return "; write bytes as '{\"hex\":\"\(digits)\"}'"
        }
        guard let first = text.first, first.isLetter,
            text.allSatisfy({ $0.isLetter || $0.isNumber || " _-.".contains($0) })
        else {
            return ""
        }
        if let example = format?.example, format?.takesPlainText == false {
            return "; this format needs a value such as '\(example)'"
        }
        return "; put text in quotation marks: '\"\(text)\"'"
    }
}

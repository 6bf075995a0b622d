internal import Bridge
internal import Codec
internal import Configuration
internal import JSON

/// A value as a person typed it in JSON, and where its parts stand: to point at the one that is wrong.
struct JSONText {
    let text: String
    let value: Value

    /// - Throws: `Failure` that points at what is not JSON.
    init(_ text: String) throws(Failure) {
        self.text = text
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: text)
        } catch {
            let offset = String(decoding: text.utf8.prefix(error.offset), as: UTF8.self).count
            throw Failure(
                .badData, "\(error.kind): \(error.reason)\(Self.advice(for: text))\n\(Excerpt(text, at: offset))")
        }
        guard let value = Value(json) else { throw Failure(.badData, "a number has more than 38 digits") }
        self.value = value
    }

    /// Where a member's name stands, or the value itself where there is no such member.
    func offset(ofMember name: String) -> Int {
        let quoted = "\"\(name)\""
        guard let start = text.indices.first(where: { text[$0...].hasPrefix(quoted) }) else { return 0 }
        return text.distance(from: text.startIndex, to: start)
    }

    /// A bare word is what most people type first.
    private static func advice(for text: String) -> String {
        guard let first = text.first, first.isLetter, text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
        else {
            return ""
        }
        return "; a text stands in quotation marks: '\"\(text)\"'"
    }
}

import Bridge
import Codec
import Configuration
import Contract
import JSON

/// The payload of a set topic: a value in JSON, a text without quotation marks, or raw bytes as `{"hex":"0a01"}` or
/// `{"base64":"CgE="}`.
enum SetValue: Sendable {
    case value(JSONText)
    /// A text that is not JSON; the failure applies unless the format takes plain text.
    case text(String, else: Failure)
    case bytes([UInt8])

    /// - Parameters:
    ///   - text: The typed value.
    ///   - format: The format of the value; nil if it is not known yet.
    /// - Throws: `Failure`, which marks the position of the mistake.
    init(_ text: String, of format: Format?) throws(Failure) {
        let json: JSONText
        do throws(Failure) {
            json = try JSONText(text, of: format)
        } catch {
            let mayBeText = !["{", "[", "\""].contains { text.hasPrefix($0) }
            guard mayBeText, format?.takesPlainText(text) ?? true else { throw error }
            self = .text(text, else: error)
            return
        }
        guard case .record(let record) = json.value, let member = record.first, record.count == 1,
            case .string(let digits) = member.value
        else {
            self = .value(json)
            return
        }
        switch ByteValue(member.name, digits) {
        case .hexadecimal: self = .bytes(try HexadecimalText(typed: digits).bytes)
        case .base64:
            guard let bytes = Base64.decode(digits) else {
                throw Failure(.badData, "\(digits.quotedForMessage) is not base64 (RFC 4648)")
            }
            self = .bytes(bytes)
        case nil: self = .value(json)
        }
    }

    /// Returns the value of JSON for a format: a number or a truth value can be the text of a display.
    static func value(of json: JSONText, for format: Format) -> Value {
        switch json.value {
        case .number, .boolean: format.isText ? .string(json.text) : json.value
        default: json.value
        }
    }
}

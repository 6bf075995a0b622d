import Bridge
import Codec
import Configuration

/// The payload of a set topic: a value in JSON, or raw bytes as `{"hex":"0a01"}` or `{"base64":"CgE="}`.
enum SetValue: Sendable {
    case value(JSONText)
    case bytes([UInt8])

    /// - Throws: `Failure`, which marks the position of the mistake.
    init(_ text: String) throws(Failure) {
        let json = try JSONText(text)
        guard case .record(let record) = json.value, let member = record.members.first, record.members.count == 1,
            case .string(let digits) = member.value
        else {
            self = .value(json)
            return
        }
        switch member.name {
        case "hex": self = .bytes(try HexadecimalText(typed: digits).bytes)
        case "base64":
            guard let bytes = Base64.decode(digits) else {
                throw Failure(.badData, "\(digits.quotedForMessage) is not base64 (RFC 4648)")
            }
            self = .bytes(bytes)
        default: self = .value(json)
        }
    }
}

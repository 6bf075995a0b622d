import Codec
package import JSON

/// A value that a client gives as bytes: `{"hex":"0a01"}` or `{"base64":"CgE="}`.
package enum ByteValue: Equatable, Sendable {
    /// Pairs of hexadecimal digits.
    case hexadecimal(String)
    /// Base64 (RFC 4648).
    case base64(String)

    /// - Returns: nil if the name is not `hex` or `base64`.
    package init?(_ name: String, _ text: String) {
        switch name {
        case "hex": self = .hexadecimal(text)
        case "base64": self = .base64(text)
        default: return nil
        }
    }

    /// - Returns: nil if the value is not given as bytes.
    package init?(_ json: JSON) {
        guard let members = json.object, members.count == 1, let member = members.first,
            let text = member.value.string
        else { return nil }
        self.init(member.name, text)
    }

    /// The bytes; nil if the text is not of its kind.
    package var bytes: [UInt8]? {
        switch self {
        case .hexadecimal(let text): [UInt8](hexadecimal: text)
        case .base64(let text): Base64.decode(text)
        }
    }
}

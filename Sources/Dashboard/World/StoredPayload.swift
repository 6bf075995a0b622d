import JSON

/// The newest payload of a topic, as JSON text.
struct StoredPayload {
    /// JSON text.
    let text: [UInt8]
    /// The number of the connection to the broker that delivered the payload last.
    var connection: Int

    /// The longest payload of a device that is stored, in bytes.
    static let longest = 64 << 10
    /// The longest payload of a gateway that is stored, in bytes: with 1,000 devices, `devices` has 200 KB.
    static let longestOfGateway = 1 << 20
}

/// A received payload.
struct ReceivedPayload {
    /// nil if the payload is not JSON.
    let json: JSON?
    /// The payload as JSON text: as received if it is JSON; otherwise a string or an object with its bytes.
    let text: [UInt8]

    /// - Parameters:
    ///   - bytes: The payload.
    ///   - limit: The length in bytes above which only the length is stored.
    init(_ bytes: [UInt8], limit: Int) {
        guard bytes.count <= limit else {
            json = nil
            text = Self.text(of: ["too_long": .number(bytes.count)])
            return
        }
        json = try? JSON(parsing: bytes)
        if json != nil {
            text = bytes
        } else if !bytes.contains(0), let string = String(validating: bytes, as: UTF8.self) {
            text = Self.text(of: .string(string))
        } else {
            text = Self.text(of: ["hex": .string(bytes.prefix(1024).map(Self.hexadecimal).joined())])
        }
    }

    private static func text(of json: JSON) -> [UInt8] {
        var text: [UInt8] = []
        json.append(to: &text)
        return text
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}

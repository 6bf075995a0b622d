/// The description of one format of advertisements: how a packet is recognized, and its fields.
package struct AdvertisementFormat: Hashable, Sendable {
    /// The name of the format, e.g.
    ///
    /// `ruuvi_5`.
    package let name: String
    /// The conditions by which a packet is recognized.
    package private(set) var match: AdvertisementMatch
    /// The fields; for an encrypted advertisement, the fields after decryption.
    package let format: Format
    /// The encryption; nil for a format that is never encrypted.
    var cipher: AdvertisementCipher?
    /// Whether a device with a key never sends this format without encryption.
    var requiresEncryption = false
    /// The field with a packet number of one byte, which identifies a repeated or late packet.
    var packetNumber: String?
    /// Whether every packet contains a number, so that equal bytes are a repetition.
    var hasPacketNumbers = false

    /// Whether the field `mac`, or `mac_end`, must equal the address of the sender or its end.
    var repeatsAddress = false

    /// This format, and a copy for packets without name and services that is recognized by the address in the packet.
    var recognizedByAddress: [AdvertisementFormat] {
        var other = self
        (other.match.names, other.match.services) = ([], [])
        other.repeatsAddress = true
        return [self, other]
    }

    /// Whether packets of this format can be encrypted.
    package var isEncrypted: Bool { cipher != nil }

    /// The name of the formats of a configuration.
    package static let own = "own"

    /// Creates a format from groups of fields that follow one another.
    package init(_ name: String, _ match: AdvertisementMatch, _ parts: [Field]...) {
        self.init(name, match, Format(Array(parts.joined())))
    }

    package init(_ name: String, _ match: AdvertisementMatch, _ format: Format) {
        self.name = name
        self.match = match
        self.format = format
    }
}

extension AdvertisementFormat: CustomStringConvertible {
    package var description: String { name }
}

/// A format of advertisements: the conditions by which a packet is recognized, its encryption and its fields.
package struct AdvertisementFormat: Hashable, Sendable {
    /// Packets without values that can be decoded, and why.
    private struct Refusal: Hashable, Sendable {
        let flag: AdvertisementCipher.Flag
        /// The packet's purpose and the remedy, for the user.
        let reason: String
    }

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
    /// The packets without values, and why; nil for a format whose packets all have values.
    private var refusal: Refusal?
    /// Whether an unencrypted packet of a device with a key is rejected even if the device has not encrypted before.
    var requiresEncryption = false
    /// The name of the field with the packet number (one byte), which identifies a repeated or late packet; nil: none.
    var packetNumber: String?
    /// Whether every packet contains a packet number, so that a packet with equal bytes is a repetition.
    var hasPacketNumbers = false

    /// The position of the product id, two bytes in little-endian order that are never encrypted; nil: there is none.
    var productPosition: Int?

    /// Whether the field `mac` must equal the address of the sender, and `mac_end` the last bytes of the address.
    var repeatsAddress = false

    /// This format, and a copy for packets without name and services.
    ///
    /// The copy requires that the packet contains the address of the sender.
    var recognizedByAddress: [AdvertisementFormat] {
        var other = self
        (other.match.names, other.match.services) = ([], [])
        other.repeatsAddress = true
        return [self, other]
    }

    /// Returns the product id in a packet; nil if the packets of this format contain none.
    func product(in bytes: [UInt8]) -> Int? {
        guard let productPosition, bytes.count > productPosition + 1 else { return nil }
        return Int(bytes[productPosition]) | Int(bytes[productPosition + 1]) << 8
    }

    /// Returns the format with a refusal of packets in which a flag is set.
    func refusing(_ flag: AdvertisementCipher.Flag, because reason: String) -> AdvertisementFormat {
        var format = self
        format.refusal = Refusal(flag: flag, reason: reason)
        return format
    }

    /// Throws an error for a packet without values.
    func checkValues(in bytes: [UInt8]) throws(AdvertisementError) {
        guard let refusal, bytes.count > refusal.flag.byte, bytes[refusal.flag.byte] & refusal.flag.mask != 0 else {
            return
        }
        throw .withoutValues(refusal.reason)
    }

    /// The name of every format that a configuration describes.
    package static let own = "own"

    /// Creates a format from groups of fields that follow one another.
    package init(_ name: String, _ match: AdvertisementMatch, _ parts: [Field]...) {
        self.init(name, match, Format(Array(parts.joined())))
    }

    /// - Parameters:
    ///   - name: The name of the format.
    ///   - match: The conditions by which a packet is recognized.
    ///   - format: The fields. A value that its quantity cannot have is decoded as null: the sensor is at fault, or the
    ///     packet is damaged, which only few formats can detect.
    package init(_ name: String, _ match: AdvertisementMatch, _ format: Format) {
        self.name = name
        self.match = match
        self.format = format.withoutImpossibleValues
    }
}

extension AdvertisementFormat: CustomStringConvertible {
    package var description: String { name }
}

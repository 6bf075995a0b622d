/// How the advertisements of a kind of device are known and read.
package struct AdvertisementFormat: Hashable, Sendable {
    /// What it is called: `ruuvi_5`.
    package let name: String
    package private(set) var match: AdvertisementMatch
    /// The fields; of an encrypted advertisement, those of its bytes after decryption.
    package let format: Format
    /// How to decrypt; nil for what is never encrypted.
    var cipher: AdvertisementCipher?
    /// Whether a device that has a key would never send this in the clear.
    var refusesPlain = false
    /// The field with a number of one byte by which a packet that comes again, or late, is known.
    var packetNumber: String?
    /// Whether each of its packets has a number somewhere, so that equal bytes are the same packet once more.
    var numbersPackets = false

    /// Whether its field `mac` is the address of the device that sends it, or `mac_end` the end of that: with another
    /// one it is somebody else's.
    var repeatsAddress = false

    /// This one and, for where neither name nor service is heard, the same known by the address in its packets.
    var orKnownByAddress: [AdvertisementFormat] {
        var other = self
        (other.match.names, other.match.services) = ([], [])
        other.repeatsAddress = true
        return [self, other]
    }

    /// Whether packets of it may be encrypted.
    package var isEncrypted: Bool { cipher != nil }

    /// What a user's own formats are called.
    package static let own = "own"

    package init(_ name: String, _ match: AdvertisementMatch, _ fields: [Field]) {
        self.init(name, match, Format(fields))
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

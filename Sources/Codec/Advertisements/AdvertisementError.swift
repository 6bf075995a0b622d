/// Why an advertisement gives no reading.
package enum AdvertisementError: Error, Hashable, Sendable {
    /// Nothing in it is of a format that this release knows.
    case unknown
    /// The bytes do not fit the format that they announce.
    case undecodable(DecodingError)
    /// It is encrypted, and there is no key.
    case noKey
    /// It is encrypted with another key, or was changed on its way.
    case wrongKey
    /// The key has this many bytes, which is not what the format wants.
    case keyLength(Int)
    /// To decrypt it, the address of the device must be known.
    case noAddress
    /// The packet came before: somebody may have recorded it.
    case replayed
    /// The packet is one of those that were just read, sent once more.
    case repeated
    /// The device has a key, and this packet is not encrypted: somebody else may have sent it.
    case notEncrypted
}

extension AdvertisementError {
    /// Whether every packet of the kind will meet it, until somebody configures the device otherwise.
    package var isLasting: Bool {
        switch self {
        case .noKey, .keyLength, .noAddress: true
        case .unknown, .undecodable, .wrongKey, .replayed, .repeated, .notEncrypted: false
        }
    }
}

extension AdvertisementError {
    /// Whether another packet met the same obstacle, whatever its bytes were.
    package func isOfOneKind(with other: AdvertisementError) -> Bool {
        if case .undecodable(let error) = self, case .undecodable(let other) = other {
            return error.isOfOneKind(with: other)
        }
        return self == other
    }
}

extension AdvertisementError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknown: "no known format: add one as advertisement: in the configuration"
        case .undecodable(let error): error.description
        case .noKey: "the advertisement is encrypted: give the device's key, as key_file or with --key"
        case .wrongKey: "the key does not open this advertisement: compare it with that of the device's app"
        case .keyLength(let count): "a key of \(count) bytes: this device's has 16, which are 32 hexadecimal digits"
        case .noAddress: "the device's address is part of the decryption: give it with --address"
        case .replayed: "the packet was received before: its counter did not grow"
        case .repeated: "the packet was just received: its number says so"
        case .notEncrypted: "the device has a key, but this advertisement is not encrypted: it may come from elsewhere"
        }
    }
}

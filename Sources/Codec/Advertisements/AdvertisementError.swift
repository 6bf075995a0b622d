import Bluetooth

/// The reason why an advertisement has no reading.
package enum AdvertisementError: Error, Hashable, Sendable {
    /// No part has a format that the program knows.
    case unknown
    /// The bytes do not fit the format that they announce.
    case undecodable(DecodingError)
    /// The advertisement is encrypted, and no key was given.
    case noKey
    /// The key is wrong, or the bytes were changed.
    case wrongKey
    /// The key has this number of bytes, which the format does not use.
    case keyLength(Int)
    /// Decryption needs the address of the device.
    case noAddress
    /// The packet counter did not increase: the packet may be an old one that another sender repeats.
    case replayed
    /// The packet has the same number as the packet decoded before.
    case repeated
    /// The device has a key, but the packet is not encrypted: another sender may have forged it.
    case notEncrypted
}

extension AdvertisementError {
    /// Whether every packet of this format fails in the same way until the configuration changes.
    package var isLasting: Bool {
        switch self {
        case .noKey, .keyLength, .noAddress: true
        case .unknown, .undecodable, .wrongKey, .replayed, .repeated, .notEncrypted: false
        }
    }
}

extension AdvertisementError {
    /// Returns whether another error has the same cause, whatever the bytes were.
    package func hasSameCause(as other: AdvertisementError) -> Bool {
        if case .undecodable(let error) = self, case .undecodable(let other) = other {
            return error.hasSameCause(as: other)
        }
        return self == other
    }
}

extension AdvertisementError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknown: "unknown format: describe it with \"advertisement:\" in the configuration"
        case .undecodable(let error): error.description
        case .noKey: "the advertisement is encrypted: give the key of the device, as key_file or with --key"
        case .wrongKey: "the key does not decrypt this advertisement: compare it with the key in the app of the device"
        case .keyLength(let count):
            "the key has \(count.inBytes): this device needs 16 bytes, which are 32 hexadecimal digits"
        case .noAddress: "decryption needs the address of the device: give it with --address"
        case .replayed: "the packet was received before: its counter did not increase"
        case .repeated: "the packet repeats the previous one: it has the same number"
        case .notEncrypted:
            "the device has a key, but this advertisement is not encrypted: it may come from another sender"
        }
    }
}

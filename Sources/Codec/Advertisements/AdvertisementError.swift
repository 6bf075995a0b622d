import Bluetooth

/// The reason why an advertisement has no reading.
package enum AdvertisementError: Error, Hashable, Sendable {
    /// No part has a known format, or no part contains a known value.
    case unknown
    /// The bytes do not fit the format that was recognized.
    case undecodable(DecodingError)
    /// The advertisement is encrypted, and no key was given.
    case noKey
    /// The key is wrong, or the bytes were changed.
    case wrongKey
    /// The key has the wrong length for the format; the value is the length of the key in bytes.
    case keyLength(Int)
    /// Decryption needs the address of the device.
    case noAddress
    /// The packet counter is lower than in the previous packet: another sender may be replaying an old packet.
    case replayed
    /// The packet has been decoded already: its number is not newer, or its bytes are the same.
    case repeated
    /// The device has a key, but the packet is not encrypted: another sender may have forged it.
    case notEncrypted
    /// Packets of this kind contain no values that can be decoded; the text is the reason and what to do.
    case withoutValues(String)
}

extension AdvertisementError {
    /// Whether every packet of this format fails in the same way until the configuration changes.
    package var isLasting: Bool {
        switch self {
        case .noKey, .keyLength, .noAddress, .withoutValues: true
        case .unknown, .undecodable, .wrongKey, .replayed, .repeated, .notEncrypted: false
        }
    }

    /// Whether the configured key, or its absence, is the reason.
    package var isAboutKey: Bool {
        switch self {
        case .noKey, .wrongKey, .keyLength: true
        case .unknown, .undecodable, .noAddress, .replayed, .repeated, .notEncrypted, .withoutValues: false
        }
    }
}

extension AdvertisementError {
    /// Returns whether another error has the same cause, even if the bytes differ.
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
        case .replayed: "the packet is older than the previous packet: its counter is lower"
        case .repeated: "the packet has been decoded already: its number or its bytes are not new"
        case .notEncrypted:
            "the device has a key, but this advertisement is not encrypted: it may come from another sender"
        case .withoutValues(let reason): reason
        }
    }
}

/// The operations that a characteristic allows: the GATT properties and BlueZ's additional security flags.
package struct CharacteristicProperties: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    // The lowest eight bits are the properties of the characteristic declaration (Core Specification, Vol 3, Part G,
    // 3.3.1.1).
    package static let broadcast = Self(rawValue: 1 << 0)
    package static let read = Self(rawValue: 1 << 1)
    package static let writeWithoutResponse = Self(rawValue: 1 << 2)
    package static let write = Self(rawValue: 1 << 3)
    package static let notify = Self(rawValue: 1 << 4)
    package static let indicate = Self(rawValue: 1 << 5)
    package static let authenticatedSignedWrites = Self(rawValue: 1 << 6)
    package static let extendedProperties = Self(rawValue: 1 << 7)
    package static let reliableWrite = Self(rawValue: 1 << 8)
    package static let writableAuxiliaries = Self(rawValue: 1 << 9)
    package static let encryptRead = Self(rawValue: 1 << 10)
    package static let encryptWrite = Self(rawValue: 1 << 11)
    package static let encryptNotify = Self(rawValue: 1 << 12)
    package static let encryptIndicate = Self(rawValue: 1 << 13)
    package static let encryptAuthenticatedRead = Self(rawValue: 1 << 14)
    package static let encryptAuthenticatedWrite = Self(rawValue: 1 << 15)
    package static let encryptAuthenticatedNotify = Self(rawValue: 1 << 16)
    package static let encryptAuthenticatedIndicate = Self(rawValue: 1 << 17)
    package static let secureRead = Self(rawValue: 1 << 18)
    package static let secureWrite = Self(rawValue: 1 << 19)
    package static let secureNotify = Self(rawValue: 1 << 20)
    package static let secureIndicate = Self(rawValue: 1 << 21)
    package static let authorize = Self(rawValue: 1 << 22)

    /// BlueZ's names of the flags, in the order of the bits.
    private static let words = [
        "broadcast", "read", "write-without-response", "write", "notify", "indicate", "authenticated-signed-writes",
        "extended-properties", "reliable-write", "writable-auxiliaries", "encrypt-read", "encrypt-write",
        "encrypt-notify", "encrypt-indicate", "encrypt-authenticated-read", "encrypt-authenticated-write",
        "encrypt-authenticated-notify", "encrypt-authenticated-indicate", "secure-read", "secure-write",
        "secure-notify", "secure-indicate", "authorize",
    ]

    /// Creates the properties from BlueZ's `Flags`; unknown flags are ignored.
    package init(flags: [String]) {
        self = flags.reduce(into: []) { properties, word in
            guard let bit = Self.words.firstIndex(of: word) else { return }
            properties.insert(Self(rawValue: 1 << UInt32(bit)))
        }
    }

    /// The names of the set flags, as in BlueZ's `Flags`.
    package var flags: [String] {
        Self.words.enumerated().filter { rawValue & 1 << UInt32($0.offset) != 0 }.map(\.element)
    }

    /// Whether the peripheral can send notifications or indications of the characteristic.
    package var canSubscribe: Bool {
        contains(.notify) || contains(.indicate)
    }

    /// Whether a value can be written without a response; a signed write has no response either.
    package var canWriteWithoutResponse: Bool {
        contains(.writeWithoutResponse) || contains(.authenticatedSignedWrites)
    }

    /// Whether a value can be written with or without a response; signed writes are not included.
    package var canWrite: Bool {
        contains(.write) || contains(.writeWithoutResponse)
    }
}

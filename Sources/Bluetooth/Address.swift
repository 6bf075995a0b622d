/// A Bluetooth device address: 48 bits, written `C0:00:00:00:00:01`.
package struct Address: Hashable, Sendable {
    /// The 48 bits of the address; the first byte of the text is the most significant byte.
    package let value: UInt64

    /// Creates an address from the lower 48 bits.
    package init(_ value: UInt64) {
        self.value = value & 0xFFFF_FFFF_FFFF
    }

    /// Creates an address from six pairs of hexadecimal digits with colons between them, in upper or lower case; nil
    /// for any other text.
    package init?(_ text: some StringProtocol) {
        // A client can choose a long text.
        guard text.utf8.count == 17 else { return nil }
        let pairs = text.split(separator: ":", omittingEmptySubsequences: false)
        guard pairs.count == 6, pairs.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(\.isHexDigit) }),
            let value = UInt64(pairs.joined(), radix: 16)
        else { return nil }
        self.init(value)
    }

    /// The six bytes of the address, most significant byte first.
    ///
    /// Packets contain the bytes in reverse order.
    package var bytes: [UInt8] {
        (0..<6).map { UInt8(truncatingIfNeeded: value >> ((5 - $0) * 8)) }
    }
}

extension Address: CustomStringConvertible {
    /// The address in upper case with colons.
    package var description: String { text(separator: ":") }

    /// Returns the address in upper case with `separator` between the bytes; the object paths of BlueZ use `_`.
    package func text(separator: String) -> String {
        bytes.map { String($0, radix: 16, uppercase: true).leftPadded(to: 2) }.joined(separator: separator)
    }
}

extension Address {
    /// Returns whether the address changes every few minutes: a resolvable or a non-resolvable private address.
    ///
    /// The two most significant bits of a random address are 11 in a static address, 01 in a resolvable private address
    /// and 00 in a non-resolvable private address (Core Specification, Vol 6, Part B, 1.3.2). A public address is never
    /// private.
    package func isPrivate(_ kind: AddressKind) -> Bool {
        kind == .random && !hasStaticBits
    }

    private var hasStaticBits: Bool { value >> 46 == 0b11 }
}

extension Address: Comparable {
    package static func < (left: Address, right: Address) -> Bool {
        left.value < right.value
    }
}

/// The kind of a device address; the raw value is BlueZ's `AddressType`.
package enum AddressKind: String, Hashable, Sendable, CaseIterable {
    /// An address that is registered with the IEEE.
    case `public`
    /// An address that the device chooses: a static address, or a private address that changes every few minutes.
    case random
}

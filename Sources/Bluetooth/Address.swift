/// A Bluetooth device address: 48 bits, written `C0:00:00:00:00:01`.
package struct Address: Hashable, Sendable {
    /// The 48 bits; the first byte of the text is the most significant.
    package let value: UInt64

    /// Takes the lower 48 bits.
    package init(_ value: UInt64) {
        self.value = value & 0xFFFF_FFFF_FFFF
    }

    /// Reads six pairs of hexadecimal digits with colons between them, in either case.
    package init?(_ text: some StringProtocol) {
        let pairs = text.split(separator: ":", omittingEmptySubsequences: false)
        guard pairs.count == 6, pairs.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(\.isHexDigit) }),
            let value = UInt64(pairs.joined(), radix: 16)
        else { return nil }
        self.init(value)
    }

    /// The six bytes in the order of the text (on the air they travel the other way round).
    package var bytes: [UInt8] {
        (0..<6).map { UInt8(truncatingIfNeeded: value >> ((5 - $0) * 8)) }
    }
}

extension Address: CustomStringConvertible {
    /// Upper case with colons.
    package var description: String { text(separator: ":") }

    /// Upper case with something else between the bytes, as in BlueZ's object paths.
    package func text(separator: String) -> String {
        bytes.map { String($0, radix: 16, uppercase: true).leftPadded(to: 2) }.joined(separator: separator)
    }
}

extension Address: Comparable {
    package static func < (left: Address, right: Address) -> Bool {
        left.value < right.value
    }
}

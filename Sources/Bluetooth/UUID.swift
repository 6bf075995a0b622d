/// The 128-bit identifier of a service, a characteristic or a descriptor.
///
/// A number that the Bluetooth SIG assigned is a short form of 16 or 32 bits. The short and the full form are equal:
/// `2A6E` and `00002a6e-0000-1000-8000-00805f9b34fb` are the same UUID.
///
/// Source: Core Specification, Vol 3, Part B, 2.5.1.
package struct UUID: Hashable, Sendable {
    /// The full 128 bits; the first byte of the text is the most significant byte.
    package let value: UInt128

    private static let base: UInt128 = 0x0000_0000_0000_1000_8000_0080_5F9B_34FB

    /// Creates a UUID from its full 128 bits.
    package init(_ value: UInt128) {
        self.value = value
    }

    /// Creates a UUID from a 16-bit number that the Bluetooth SIG assigned.
    package init(_ short: UInt16) {
        self.init(UInt32(short))
    }

    /// Creates a UUID from a 32-bit number that the Bluetooth SIG assigned.
    package init(_ short: UInt32) {
        value = UInt128(short) << 96 | Self.base
    }

    /// Creates a UUID from 4, 8 or 32 hexadecimal digits, with or without `0x`, or from the 36 characters of the full
    /// form, in upper or lower case; nil for any other text.
    package init?(_ text: some StringProtocol) {
        // bluetoothd sends a UUID with each attribute of a peripheral: splitting them into strings takes most of its time.
        let hasPrefix = text.utf8.starts(with: "0x".utf8) || text.utf8.starts(with: "0X".utf8)
        var value: UInt128 = 0
        var length = 0
        var hyphens = 0
        for byte in text.utf8.dropFirst(hasPrefix ? 2 : 0) {
            if let digit = byte.hexDigit {
                value = value << 4 | UInt128(digit)
            } else {
                guard byte == UInt8(ascii: "-"), !hasPrefix, [8, 13, 18, 23].contains(length) else { return nil }
                hyphens += 1
            }
            length += 1
            guard length <= 36 else { return nil }
        }
        switch (length, hyphens) {
        case (4, 0), (8, 0): self.init(UInt32(value))
        case (32, 0), (36, 4): self.init(value)
        default: return nil
        }
    }

    /// Creates a UUID from the 2, 4 or 16 bytes of a packet, least significant byte first; nil for any other number of
    /// bytes.
    package init?(littleEndian bytes: some BidirectionalCollection<UInt8>) {
        let value = bytes.reversed().reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        switch bytes.count {
        case 2, 4: self.init(UInt32(value))
        case 16: self.init(value)
        default: return nil
        }
    }

    /// The 16-bit number that the Bluetooth SIG assigned; nil: the UUID has no 16-bit form.
    package var short: UInt16? {
        let number = value >> 96
        return number <= 0xFFFF && self == UUID(UInt32(number)) ? UInt16(number) : nil
    }

    /// The bytes of the shortest form, least significant byte first, as in a packet.
    package var littleEndianBytes: [UInt8] {
        let count = short != nil ? 2 : isShort ? 4 : 16
        let number = count == 16 ? value : value >> 96
        return (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// All 16 bytes, least significant byte first.
    package var fullLittleEndianBytes: [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// The full form in lower case, as BlueZ writes it.
    package var fullDescription: String {
        let digits = String(value, radix: 16).leftPadded(to: 32)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }

    private var isShort: Bool {
        self == UUID(UInt32(value >> 96))
    }
}

extension UUID: CustomStringConvertible {
    /// The shortest form: 4 or 8 digits in upper case, as in `2A6E` and `0001ABCD`, or the full form in lower case.
    package var description: String {
        guard isShort else { return fullDescription }
        return String(value >> 96, radix: 16, uppercase: true).leftPadded(to: short == nil ? 8 : 4)
    }
}

extension UUID: Comparable {
    package static func < (left: UUID, right: UUID) -> Bool {
        left.value < right.value
    }
}

extension UUID: ExpressibleByIntegerLiteral {
    package init(integerLiteral short: UInt32) {
        self.init(short)
    }
}

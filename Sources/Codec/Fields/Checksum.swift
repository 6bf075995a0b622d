/// A checksum over bytes, by which a receiver detects changed bytes.
package struct Checksum: Hashable, Sendable {
    /// The calculation.
    package enum Method: Hashable, Sendable {
        /// The sum of all bytes.
        case sum
        /// The two's complement of the sum of all bytes: the sum of the bytes and the checksum is 0.
        case negativeSum
        /// The exclusive or of all bytes.
        case xor
        case crc(CyclicRedundancyCheck)
    }

    package var method: Method
    /// The number of bytes at the start of the record that the checksum does not cover.
    package var first = 0
    /// The number that is added to the result.
    package var addend = 0

    package init(_ method: Method) {
        self.method = method
    }

    /// The size in bytes; nil for a checksum that is truncated to the size of its field.
    package var size: Int? {
        if case .crc(let check) = method { check.width / 8 } else { nil }
    }

    /// Returns the checksum of bytes; the caller truncates the checksum to the size of its field.
    package func callAsFunction(_ bytes: some Sequence<UInt8>) -> UInt64 {
        let result =
            switch method {
            case .sum: bytes.reduce(0) { $0 &+ UInt64($1) }
            case .negativeSum: 0 &- bytes.reduce(0) { $0 &+ UInt64($1) }
            case .xor: bytes.reduce(0) { $0 ^ UInt64($1) }
            case .crc(let check): check(bytes)
            }
        return result &+ UInt64(truncatingIfNeeded: addend)
    }
}

extension Checksum {
    package static let sum = Checksum(.sum)
    package static let negativeSum = Checksum(.negativeSum)
    package static let xor = Checksum(.xor)
    /// CRC-8 with the polynomial 0x31 and the initial value 0xFF, as in Sensirion's sensors.
    package static let crc8 = Checksum(.crc(CyclicRedundancyCheck(width: 8, polynomial: 0x31, initial: 0xFF)))
    /// CRC-8/MAXIM-DOW, of 1-Wire devices.
    package static let crc8Maxim = Checksum(.crc(CyclicRedundancyCheck(width: 8, polynomial: 0x31, isReflected: true)))
    /// CRC-16/MODBUS.
    package static let crc16Modbus = Checksum(
        .crc(CyclicRedundancyCheck(width: 16, polynomial: 0x8005, initial: 0xFFFF, isReflected: true)))
    /// CRC-16/MCRF4XX, the E2E-CRC of the Bluetooth SIG.
    package static let crc16 = Checksum(
        .crc(CyclicRedundancyCheck(width: 16, polynomial: 0x1021, initial: 0xFFFF, isReflected: true)))
    /// CRC-16/SPI-FUJITSU.
    package static let crc16Fujitsu = Checksum(
        .crc(CyclicRedundancyCheck(width: 16, polynomial: 0x1021, initial: 0x1D0F)))
    /// CRC-16/IBM-3740, which is also called CCITT-FALSE.
    package static let crc16CCITT = Checksum(
        .crc(CyclicRedundancyCheck(width: 16, polynomial: 0x1021, initial: 0xFFFF)))
    /// CRC-16/XMODEM.
    package static let crc16Xmodem = Checksum(.crc(CyclicRedundancyCheck(width: 16, polynomial: 0x1021)))
    /// CRC-32/ISO-HDLC, of Ethernet and ZIP.
    package static let crc32 = Checksum(
        .crc(
            CyclicRedundancyCheck(
                width: 32, polynomial: 0x04C1_1DB7, initial: 0xFFFF_FFFF, isReflected: true, final: 0xFFFF_FFFF)))

    /// The checksums with a name, in the order of the reference.
    package static let named: [(name: String, checksum: Checksum)] = [
        ("sum", .sum), ("negative_sum", .negativeSum), ("xor", .xor), ("crc8", .crc8), ("crc8_maxim", .crc8Maxim),
        ("crc16_modbus", .crc16Modbus), ("crc16", .crc16), ("crc16_ccitt", .crc16CCITT), ("crc16_xmodem", .crc16Xmodem),
        ("crc16_fujitsu", .crc16Fujitsu), ("crc32", .crc32),
    ]

    /// The CRCs behind the names, for the reference: with their names in the catalogue of CRC RevEng.
    package static let explanation =
        "crc8 is CRC-8/NRSC-5 (polynomial 0x31, init 0xFF), crc8_maxim CRC-8/MAXIM-DOW, crc16 CRC-16/MCRF4XX, crc16_ccitt "
        + "CRC-16/IBM-3740, crc16_fujitsu CRC-16/SPI-FUJITSU, crc32 CRC-32/ISO-HDLC. Any other CRC is a mapping such as "
        + "{width: 8, poly: 0x07} (CRC-8/SMBUS)."
}

extension Checksum: CustomStringConvertible {
    package var description: String {
        Self.named.first { $0.checksum.method == method }?.name ?? "the checksum"
    }
}

/// A number over bytes that tells whether they arrived as they were sent.
package enum Checksum: String, Hashable, Sendable, CaseIterable {
    /// The sum of all bytes.
    case sum
    /// All bytes combined by exclusive or.
    case xor
    /// CRC-8 of the polynomial 0x31 from 0xFF on, as Sensirion's sensors have it.
    case crc8
    /// CRC-16/MODBUS: the polynomial 0x8005, reflected, from 0xFFFF on.
    case crc16Modbus = "crc16_modbus"
    /// CRC-16/MCRF4XX: the polynomial 0x1021, reflected, from 0xFFFF on; the E2E-CRC of the Bluetooth SIG's profiles.
    case crc16 = "crc16"

    /// CRC-16/SPI-FUJITSU: the polynomial 0x1021 from 0x1D0F on.
    case crc16Fujitsu = "crc16_fujitsu"

    /// How many bytes it has; nil for those that are cut to the size of their field.
    var size: Int? {
        switch self {
        case .sum, .xor: nil
        case .crc8: 1
        case .crc16Modbus, .crc16, .crc16Fujitsu: 2
        }
    }

    /// The checksum of bytes, before it is cut to the size of its field.
    package func callAsFunction(_ bytes: some Sequence<UInt8>) -> UInt64 {
        switch self {
        case .sum: bytes.reduce(0) { $0 &+ UInt64($1) }
        case .xor: bytes.reduce(0) { $0 ^ UInt64($1) }
        case .crc8: UInt64(Self.leftmostFirst(bytes, from: UInt8(0xFF), polynomial: 0x31))
        case .crc16Fujitsu: UInt64(Self.leftmostFirst(bytes, from: UInt16(0x1D0F), polynomial: 0x1021))
        case .crc16Modbus: UInt64(Self.rightmostFirst(bytes, polynomial: 0xA001))
        case .crc16: UInt64(Self.rightmostFirst(bytes, polynomial: 0x8408))
        }
    }

    private static func leftmostFirst<Remainder: FixedWidthInteger & UnsignedInteger>(
        _ bytes: some Sequence<UInt8>, from start: Remainder, polynomial: Remainder
    ) -> Remainder {
        bytes.reduce(start) { crc, byte in
            (0..<8).reduce(crc ^ Remainder(byte) << (Remainder.bitWidth - 8)) { crc, _ in
                crc.leadingZeroBitCount == 0 ? crc << 1 ^ polynomial : crc << 1
            }
        }
    }

    private static func rightmostFirst(_ bytes: some Sequence<UInt8>, polynomial: UInt16) -> UInt16 {
        bytes.reduce(0xFFFF) { crc, byte in
            (0..<8).reduce(crc ^ UInt16(byte)) { crc, _ in crc & 1 != 0 ? crc >> 1 ^ polynomial : crc >> 1 }
        }
    }
}

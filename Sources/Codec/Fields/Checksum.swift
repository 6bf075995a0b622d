/// A checksum over bytes, by which a receiver detects changed bytes.
package enum Checksum: String, Hashable, Sendable, CaseIterable {
    /// The sum of all bytes.
    case sum
    /// The exclusive or of all bytes.
    case xor
    /// CRC-8 with the polynomial 0x31 and the initial value 0xFF, as in Sensirion's sensors.
    case crc8
    /// CRC-16/MODBUS: the polynomial 0x8005, reflected, with the initial value 0xFFFF.
    case crc16Modbus = "crc16_modbus"
    /// CRC-16/MCRF4XX: the polynomial 0x1021, reflected, with the initial value 0xFFFF. The E2E-CRC of the Bluetooth
    /// SIG.
    case crc16 = "crc16"

    /// CRC-16/SPI-FUJITSU: the polynomial 0x1021, with the initial value 0x1D0F.
    case crc16Fujitsu = "crc16_fujitsu"

    /// The size in bytes; nil for a checksum that is truncated to the size of its field.
    var size: Int? {
        switch self {
        case .sum, .xor: nil
        case .crc8: 1
        case .crc16Modbus, .crc16, .crc16Fujitsu: 2
        }
    }

    /// Returns the checksum of bytes; the caller truncates the checksum to the size of its field.
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

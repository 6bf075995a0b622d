import Codec

extension Kind where Value == Checksum {
    /// The name of a checksum, or the parameters of a CRC.
    static var checksum: Kind {
        let names = Checksum.named.map(\.name)
        let word = scalar(names.joined(separator: " | ")) { text, _ throws(InvalidValue) in
            guard let entry = Checksum.named.first(where: { $0.name == text }) else {
                if let meant = checksumsElsewhere[text.lowercased().filter { $0.isLetter || $0.isNumber }] {
                    throw "unknown checksum \(text.quotedForMessage): did you mean \(meant.quotedForMessage)?"
                }
                if text.count > 3, text.lowercased().hasPrefix("crc") || text.hasPrefix("0x") {
                    throw
                        "unknown checksum \(text.quotedForMessage): write its parameters, such as {width: 16, poly: 0x1021}"
                }
                throw InvalidValue(expected: names, found: text)
            }
            return entry.checksum
        }
        return .either("\(word.name) | mapping") { node in
            if case .mapping = node.content { return CyclicRedundancyCheck.kind }
            return word
        }
    }
}

/// The checksums, by names of other programs in lower case, without other characters than letters and digits.
private let checksumsElsewhere = [
    "crc16maxim": "crc8_maxim", "ccitt": "crc16_ccitt", "crcccitt": "crc16_ccitt", "maxim": "crc8_maxim",
    "twoscomplement": "negative_sum", "2scomplement": "negative_sum", "complement": "negative_sum",
    "lrc": "negative_sum", "negative": "negative_sum", "crc16ccittfalse": "crc16_ccitt", "modbus": "crc16_modbus",
    "crcmodbus": "crc16_modbus", "crc16modbus": "crc16_modbus", "xmodem": "crc16_xmodem", "fujitsu": "crc16_fujitsu",
    "crc16": "crc16", "crc8": "crc8", "crc32": "crc32", "crc8maxim": "crc8_maxim",
    "crc16ccitt": "crc16_ccitt", "crc16xmodem": "crc16_xmodem", "sum8": "sum", "checksum": "sum", "add": "sum",
    "addition": "sum", "xor8": "xor", "bcc": "xor", "true": "sum", "yes": "sum",
]

extension CyclicRedundancyCheck {
    private enum Keys {
        static let width = Key(
            required: "width", .integer(8...64), example: "16", "The number of bits, a multiple of 8.")
        static let poly = Key(required: "poly", .unsigned, example: "0x1021", "The polynomial without its highest bit.")
        static let initial = Key("init", .unsigned, default: "0", example: "0xFFFF", "The initial value.")
        static let reflect = Key(
            "reflect", .boolean, default: "false", example: "true", "Whether the least significant bits are the first.")
        static let final = Key(
            "xorout", .unsigned, default: "0", example: "0xFFFF", "The number that is combined with the result by XOR.")
        static let section = Section(
            "CRC", width, poly, initial, reflect, final, example: "{width: 16, poly: 0x1021}")
    }

    /// The parameters of a CRC.
    fileprivate static let kind = Kind<Checksum>.mapping(Keys.section) { reader in
        let (width, polynomial) = (reader[Keys.width], reader[Keys.poly])
        let (initial, reflect, final) = (reader[Keys.initial], reader[Keys.reflect], reader[Keys.final])
        guard let width, let polynomial else { return nil }
        guard width.isMultiple(of: 8) else {
            reader.report("expected a multiple of 8, found \(width)", at: Keys.width)
            return nil
        }
        for (key, number) in [(Keys.initial, initial), (Keys.final, final)] where number >> (width - 1) > 1 {
            reader.report("the number has more than \(width) bits", at: key)
            return nil
        }
        guard polynomial >> (width - 1) <= 1 else {
            reader.report("the number has more than \(width) bits", at: Keys.poly)
            return nil
        }
        return Checksum(
            .crc(
                CyclicRedundancyCheck(
                    width: width, polynomial: polynomial, initial: initial, isReflected: reflect, final: final)))
    }
}

extension Kind where Value == UInt64 {
    /// A whole number of up to 64 bits, which may be hexadecimal.
    fileprivate static var unsigned: Kind {
        scalar("whole number") { text, _ throws(InvalidValue) in
            guard let number = UInt64(exactly: try Int128(yaml: text)) else {
                throw "expected a number of up to 64 bits, found \(text.quotedForMessage)"
            }
            return number
        }
    }
}

extension Kind where Value == UInt8 {
    /// One ASCII character, which ends a field.
    static var terminator: Kind {
        Kind<String>.text.map("character") { text throws(InvalidValue) in
            guard text.utf8.count == 1, let character = text.utf8.first, character < 0x80 else {
                throw "expected one ASCII character such as \",\", found \(text.quotedForMessage)"
            }
            return character
        }
    }
}

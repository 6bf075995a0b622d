import Bluetooth
import Codec

extension Kind where Value == [BytePattern] {
    /// Alternatives of bytes in hexadecimal digits, or of texts: `02|0A??`, `{text: "NO DATA|?"}`.
    static var patterns: Kind {
        .either("bytes | {text: TEXT}") { node in node["text"] == nil ? hexadecimalPatterns : textPatterns }
    }

    private static var hexadecimalPatterns: Kind {
        // The YAML type of the text is ignored, because 0201 looks like a number.
        scalar("bytes") { text, _ throws(InvalidValue) in
            var patterns: [BytePattern] = []
            for part in text.split(separator: "|", omittingEmptySubsequences: false) {
                guard let pattern = BytePattern(part), pattern.count > 0 else {
                    let advice =
                        part.hasPrefix("0x") && BytePattern(part.dropFirst(2)) != nil
                        ? ": did you mean \"\(part.dropFirst(2))\"?" : ""
                    throw
                        "expected pairs of hexadecimal digits such as \"0215\", with | between alternatives, found \(text.quotedForMessage)\(advice)"
                }
                patterns.append(pattern)
            }
            return patterns
        }
    }

    private static var textPatterns: Kind {
        Kind<String>.wrappedText.map { text throws(InvalidValue) in
            let parts = text == "|" ? ["|"] : text.split(separator: "|", omittingEmptySubsequences: false)
            guard parts.allSatisfy({ !$0.isEmpty }) else {
                throw "expected texts with | between alternatives, found \(text.quotedForMessage)"
            }
            return parts.map { BytePattern(bytes: $0.utf8) }
        }
    }
}

extension Kind where Value == String {
    private enum TextKeys {
        static let text = Key(required: "text", Kind<String>.text, example: "\"OK\\r\"", "The text in UTF-8.")
        static let section = Section("text", text, example: "{text: \"OK\"}")
    }

    /// A text in a mapping of its own: `{text: ">"}`.
    fileprivate static var wrappedText: Kind {
        .mapping(TextKeys.section) { $0[TextKeys.text] }
    }
}

extension Kind where Value == Configuration.FrameShape.Start {
    /// Patterns, or a list of bytes, each one a number or a formula.
    static var frameStart: Kind {
        .either("bytes | {text: TEXT} | list of formula") { node in
            guard case .sequence = node.content else { return Kind<[BytePattern]>.patterns.map { .patterns($0) } }
            return Kind<[Expression]>.list(
                of: .expression, whenEmpty: "the list is empty: add a byte, or remove the key"
            )
            .map { .formulas($0) }
        }
    }
}

extension Kind where Value == Configuration.Terminator {
    /// Bytes in hexadecimal digits, or `{text: TEXT}`.
    static var frameEnd: Kind {
        .either("bytes | {text: TEXT}") { node in
            if node["text"] != nil {
                return Kind<String>.wrappedText.map { Configuration.Terminator(bytes: Array($0.utf8), isText: true) }
            }
            return Kind<[UInt8]>.hexadecimal(1...16).map { Configuration.Terminator(bytes: $0, isText: false) }
        }
    }
}

extension Kind where Value == [UInt8] {
    /// Bytes in hexadecimal digits, from `range.lowerBound` to `range.upperBound` bytes.
    static func hexadecimal(_ range: ClosedRange<Int>) -> Kind {
        scalar("bytes") { text, _ throws(InvalidValue) in
            let bytes: [UInt8]
            do throws(HexadecimalError) {
                bytes = try HexadecimalText(text).bytes
            } catch {
                let reason =
                    switch error.reason {
                    case .missingDigit: "the second digit of a byte is missing"
                    case .invalidCharacter(let character): "\(String(character).quotedForMessage) is not a digit"
                    }
                throw "expected pairs of hexadecimal digits such as A01F, found \(text.quotedForMessage): \(reason)"
            }
            guard range.contains(bytes.count) else {
                let expected =
                    range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
                throw "expected \(expected) bytes, found \(bytes.count)"
            }
            return bytes
        }
    }
}

private enum LengthKeys {
    static let at = Key(
        required: "at", .integer(0...255), example: "3", "The position of the number in the frame, from 0.")
    static let type = Key(
        "type", Kind<Int>.choice(["uint8": 1, "uint16": 2, "uint24": 3, "uint32": 4]), default: "uint8",
        example: "uint16", "The type of the number: uint8, uint16, uint24 or uint32.")
    static let endian = Key(
        "endian", Kind<Field.Endian>.plainEndian, default: "big", example: "little", "The byte order of the number.")
    static let times = Key(
        "times", .integer(1...64), default: "1", example: "2", "The factor by which the number is multiplied.")
    static let plus = Key(
        "plus", .integer(-4096...4096), default: "0", example: "7",
        "The number that is added: the length of the frame is number * times + plus.")
    static let section = Section("length", at, type, endian, times, plus, example: "{at: 3, plus: 7}")
}

extension Kind where Value == Configuration.FrameShape.Length {
    /// A number, a formula, or the place of the length in the frame.
    static var frameLength: Kind {
        .either("whole number | formula | mapping", section: LengthKeys.section) { node in
            guard case .mapping = node.content else { return Kind<Expression>.expression.map { .formula($0) } }
            return .mapping(LengthKeys.section) { reader in
                let (endian, factor, addend) = (
                    reader[LengthKeys.endian], reader[LengthKeys.times], reader[LengthKeys.plus]
                )
                let size = reader[LengthKeys.type]
                return reader[LengthKeys.at].map {
                    .field(.init(at: $0, size: size, endian: endian, times: factor, plus: addend))
                }
            }
        }
    }
}

private enum CheckKeys {
    static let type = Key(
        required: "type", .checksum, example: "crc16_modbus", "The algorithm, as for a field with checksum.")
    static let from = Key(
        "from", .integer(0...511), default: "0", example: "2", "The first byte of the frame that is covered.")
    static let bytes = Key(
        "bytes", .integer(1...8), example: "2", "The size of the checksum; that of the algorithm if left out.")
    static let endian = Key(
        "endian", Kind<Field.Endian>.plainEndian, default: "little", example: "big", "The byte order.")
    static let plus = Key(
        "plus", .integer(-0xFFFF...0xFFFF), default: "0", example: "1", "The number that is added to the result.")
    static let section = Section("checksum", type, from, bytes, endian, plus, example: "{type: sum, from: 2}")
}

extension Kind where Value == Configuration.FrameShape.Check {
    /// The name of an algorithm, the parameters of a CRC, or a mapping with the place of the checksum.
    static var frameCheck: Kind {
        .either("\(Kind<Checksum>.checksum.name)", section: CheckKeys.section) { node in
            guard case .mapping = node.content, node["width"] == nil else {
                return Kind<Checksum>.checksum.map { .init($0, size: $0.size ?? 1, endian: .little) }
            }
            return .mapping(CheckKeys.section) { reader in
                let (first, addend, endian) = (reader[CheckKeys.from], reader[CheckKeys.plus], reader[CheckKeys.endian])
                let size = reader[CheckKeys.bytes]
                guard var checksum = reader[CheckKeys.type] else { return nil }
                checksum.first = first
                checksum.addend = addend
                return .init(checksum, size: size ?? checksum.size ?? 1, endian: endian)
            }
        }
    }
}

private enum CountKeys {
    static let at = Key(
        required: "at", .integer(0...255), example: "5", "The byte of each frame that contains the number.")
    static let section = Section("frames", at, example: "{at: 5}")
}

extension Kind where Value == Configuration.Answer.Count {
    /// A number, a formula, or the place of the number in each frame.
    static var frameCount: Kind {
        .either("whole number | formula | mapping", section: CountKeys.section) { node in
            guard case .mapping = node.content else { return Kind<Expression>.expression.map { .formula($0) } }
            return .mapping(CountKeys.section) { reader in reader[CountKeys.at].map { .byte(at: $0) } }
        }
    }
}

private enum SequenceKeys {
    static let at = Key(
        required: "at", .integer(0...255), example: "4", "The byte of each frame that contains the number.")
    static let first = Key(
        "first", .integer(0...255), default: "0", example: "1", "The number of the first frame.")
    static let section = Section("sequence", at, first, example: "{at: 4, first: 1}")
}

extension Kind where Value == Configuration.Answer.Sequence {
    /// The place of the number of a frame, and the first number.
    static var frameSequence: Kind {
        .mapping(SequenceKeys.section) { reader in
            let first = reader[SequenceKeys.first]
            return reader[SequenceKeys.at].map { .init(at: $0, first: first) }
        }
    }
}

private enum PartKeys {
    static let at = Key(
        required: "at", .integer(0...4095), example: "5", "The first byte of each frame that is joined.")
    static let length = Key(
        required: "length", .integer(1...4096), example: "6", "The number of bytes of each frame that are joined.")
    static let section = Section("join", at, length, example: "{at: 5, length: 6}")
}

extension Kind where Value == Range<Int> {
    /// The part of each frame that is joined with the others.
    static var framePart: Kind {
        .mapping(PartKeys.section) { reader in
            guard let at = reader[PartKeys.at], let length = reader[PartKeys.length] else { return nil }
            return at..<at + length
        }
    }
}

import Bluetooth
import Codec
import TestSupport
import Testing

@Suite struct RoundTripTests {
    @Test(arguments: Characteristics.all)
    func `a decoded value encodes to bytes with the same meaning`(definition: CharacteristicDefinition) throws {
        var random = SeededGenerator(seed: definition.uuid.value)
        var successes = 0
        for _ in 0..<4 {
            for bytes in Self.guesses(using: &random) {
                guard let reading = try? definition.format.decode(bytes) else { continue }
                successes += 1
                let encoded = try definition.format.encode(reading.value)
                #expect(try definition.format.decode(encoded) == reading, "\(bytes.hexadecimal) \(encoded.hexadecimal)")
                if definition.format.hasOneValue, reading.value != .null, definition.isInteger {
                    #expect(encoded == bytes)
                }
            }
        }
        #expect(successes > 2)
    }

    /// Returns random bytes of every length that probably fit the flags: few bits, lengths or a year at the start, and
    /// no checksum at the end.
    private static func guesses(using random: inout SeededGenerator) -> [[UInt8]] {
        let bytes = (0..<66).map { _ in UInt8.random(in: 0...255, using: &random) }
        let small = bytes.map { $0 & 0x03 }
        let sparse = bytes.map { $0 & UInt8.random(in: 0...255, using: &random) & 0x7F }
        return (0...66).flatMap { length -> [[UInt8]] in
            let content = Array(sparse.prefix(length))
            return [
                Array(bytes.prefix(length)), Array(small.prefix(length)), content, [UInt8(length + 1)] + content,
                content + [0xFF, 0xFF], [0xEA, 0x07] + small.prefix(length).map { $0 & 2 },
            ]
        }
    }

    @Test(arguments: FieldType.configurable.filter { ![.calculated, .record].contains($0) })
    func `random bytes of every type survive decoding and encoding in both byte orders`(type: FieldType) throws {
        var random = SeededGenerator(seed: 7)
        for endian in Field.Endian.allCases {
            var description = FieldDescription("value", type)
            description.endian = endian
            // Numbers of 24, 40 or 56 bits do not consist of words.
            guard endian != .word || (try? description.field()) != nil else { continue }
            let format = Format([try description.field()])
            for _ in 0..<500 {
                let bytes = (0..<(format.fields[0].size ?? 9)).map { _ in UInt8.random(in: 0...255, using: &random) }
                guard let reading = try? format.decode(bytes) else { continue }
                #expect(try format.decode(try format.encode(reading.value)) == reading, "\(bytes.hexadecimal)")
            }
        }
    }
}

extension CharacteristicDefinition {
    fileprivate var isInteger: Bool {
        if case .number(let number) = format.fields[0].content { number.type.isInteger } else { false }
    }
}

extension Field {
    /// The size in bytes of a field with a fixed size.
    fileprivate var size: Int? {
        switch content {
        case .number(let number): number.type.size
        case .value(let type, _): type.size
        case .address: 6
        default: nil
        }
    }
}

import Codec
import Testing

/// Numbers that tell what else is there: how they are found from the members that are given for writing.
@Suite struct SelectorTests {
    private static func bits(_ type: FieldType = .uint8, _ bits: BitField...) -> Field {
        var field = Field("flags", type)
        field.bits = bits
        return field
    }

    private static func hidden(_ name: String, _ range: ClosedRange<Int>, scale: Decimal = 1) -> BitField {
        var bits = BitField(name, range)
        bits.isShown = false
        bits.scale = scale
        return bits
    }

    @Test(
        arguments: [
            (31, "length: a number from 0 to 31 is expected, not 32"),
            (62, "length: a number from 0 to 62 is expected, not 63"),
        ])
    func `a length that its bits cannot say is refused`(most: Int, reason: String) throws {
        var text = Field("text", .utf8)
        text.length = .field("length")
        let length = Self.hidden("length", 0...4, scale: most > 31 ? 2 : 1)
        let format = Format([Self.bits(.uint8, length, BitField("kind", 5...7)), text])
        #expect(try format.encode(["kind": 1, "text": .string(String(repeating: "a", count: most))])[0] == 0x3F)
        let error = #expect(throws: EncodingError.self) {
            try format.encode(["kind": 1, "text": .string(String(repeating: "a", count: most + 1))])
        }
        #expect(error?.description == reason)
    }

    @Test func `a length that falls between its steps is refused`() throws {
        var (length, text) = (Field("length", .uint8), Field("text", .utf8))
        length.isShown = false
        length.scale = 4
        text.length = .field("length")
        let format = Format([length, text])
        #expect(try format.encode(["text": "abcd"]) == [1, 0x61, 0x62, 0x63, 0x64])
        #expect(
            throws: EncodingError.invalid(field: "length", expected: "a number in steps of 4", found: "5")
        ) {
            try format.encode(["text": "abcde"])
        }
    }

    @Test func `a count that its bits cannot say is refused`() throws {
        var list = Field("list", .uint8)
        list.count = .field("count")
        let format = Format([Self.bits(.uint8, Self.hidden("count", 0...1)), list])
        #expect(try format.encode(["list": [1, 2, 3]]) == [3, 1, 2, 3])
        #expect(
            throws: EncodingError.invalid(field: "count", expected: "a number from 0 to 3", found: "4")
        ) {
            try format.encode(["list": [1, 2, 3, 4]])
        }
    }

    @Test(arguments: [(1, nil), (10, [0x02, 0x05])] as [(Decimal, [UInt8]?)])
    func `bits say a number by their scale, or not at all`(scale: Decimal, bytes: [UInt8]?) throws {
        var level = Field("level", .uint8)
        level.when = [Condition("mode", equals: 20)]
        let format = Format([Self.bits(.uint8, Self.hidden("mode", 0...3, scale: scale)), level])
        guard let bytes else {
            let error = EncodingError.invalid(field: "mode", expected: "a number from 0 to 15", found: "20")
            #expect(throws: error) { try format.encode(["level": 5]) }
            return
        }
        #expect(try format.encode(["level": 5]) == bytes)
        #expect(try format.decode(bytes).value == ["level": 5])
    }
}

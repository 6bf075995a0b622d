import Codec
import Testing

@Suite struct HexadecimalTests {
    @Test(arguments: ["0x6908", "69:08", "69-08", "6908", "69 08"])
    func `HexadecimalText accepts the usual separators`(text: String) throws {
        #expect(try HexadecimalText(text).bytes == [0x69, 0x08])
        #expect([UInt8](hexadecimal: text) == [0x69, 0x08])
    }

    @Test func `HexadecimalText of an empty text has no bytes`() throws {
        #expect(try HexadecimalText("").bytes == [])
    }

    @Test(
        arguments: [
            ("6x08", 1, .invalidCharacter("x")), ("690", 2, .missingDigit), ("6 908", 0, .missingDigit),
            ("69٣٣", 2, .invalidCharacter("٣")),
        ] as [(String, Int, HexadecimalError.Reason)])
    func `HexadecimalText reports the first wrong character`(
        text: String, position: Int, reason: HexadecimalError.Reason
    ) {
        let error = #expect(throws: HexadecimalError.self) { try HexadecimalText(text) }
        #expect(error?.position == position)
        #expect(error?.reason == reason)
    }

    @Test func `HexadecimalText knows the position of every byte`() throws {
        let text = try HexadecimalText("0x69 08:FFee")
        #expect((0...4).map(text.offset(ofByte:)) == [2, 5, 8, 10, 12])
    }
}

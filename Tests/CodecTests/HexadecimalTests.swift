import Codec
import Testing

@Suite struct HexadecimalTests {
    @Test(arguments: ["0x6908", "69:08", "69-08", "6908", "69 08"])
    func `digits are read as people write them`(text: String) throws {
        #expect(try HexadecimalText(text).bytes == [0x69, 0x08])
        #expect([UInt8](hexadecimal: text) == [0x69, 0x08])
    }

    @Test func `no digits are no bytes`() throws {
        #expect(try HexadecimalText("").bytes == [])
    }

    @Test(
        arguments: [
            ("6x08", 1, .strange("x")), ("690", 2, .single), ("6 908", 0, .single), ("69٣٣", 2, .strange("٣")),
        ] as [(String, Int, HexadecimalError.Reason)])
    func `the character that has no place is told`(text: String, position: Int, reason: HexadecimalError.Reason) {
        let error = #expect(throws: HexadecimalError.self) { try HexadecimalText(text) }
        #expect(error?.position == position)
        #expect(error?.reason == reason)
    }

    @Test func `every byte has its place in the text`() throws {
        let text = try HexadecimalText("0x69 08:FFee")
        #expect((0...4).map(text.offset(ofByte:)) == [2, 5, 8, 10, 12])
    }
}

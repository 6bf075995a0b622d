import Bluetooth
import Codec
import Testing

@Suite struct OfflineCodecTests {
    @Test(arguments: ["temperature", "2A6E", "2a6e", "181A/2A6E", "00002a6e-0000-1000-8000-00805f9b34fb"])
    func `a characteristic has many names`(name: String) throws {
        #expect(Value.record(try OfflineCodec.decode(name, hex: "69 08")) == ["value": 21.53, "unit": "°C"])
        #expect(try OfflineCodec.encode(name, 21.53) == [0x69, 0x08])
    }

    @Test(
        arguments: [
            ("6x08", 1, "“x” is no hexadecimal digit (character 2):\n6x08\n ^"),
            ("690", 2, "a byte has two digits, “0” is alone (character 3):\n690\n  ^"),
            ("6 908", 0, "a byte has two digits, “6” is alone (character 1):\n6 908\n^"),
        ])
    func `a mistake in the digits is pointed at`(hex: String, position: Int, description: String) {
        let error = #expect(throws: HexadecimalError.self) { try HexadecimalText.bytes(of: hex) }
        #expect(error?.position == position)
        #expect(error?.description == description)
        #expect(throws: OfflineCodecError.self) { try OfflineCodec.decode("2A6E", hex: hex) }
    }

    @Test func `digits are read as people write them`() throws {
        for text in ["0x6908", "69:08", "69-08", "6908", "69 08"] {
            #expect(try HexadecimalText.bytes(of: text) == [0x69, 0x08])
        }
        #expect(try HexadecimalText.bytes(of: "") == [])
    }

    @Test func `errors name the characteristic`() {
        var error = #expect(throws: OfflineCodecError.self) { try OfflineCodec.decode("temperatur", hex: "") }
        #expect(error?.description.contains("temperatur") == true)
        error = #expect(throws: OfflineCodecError.self) { try OfflineCodec.decode("2A6E", hex: "69") }
        #expect(error?.description == "2A6E temperature: temperature: bytes expected up to its end: 2, found: 1")
        error = #expect(throws: OfflineCodecError.self) { try OfflineCodec.encode("2A6E", "warm") }
        #expect(error?.description == "2A6E temperature: temperature: a number is expected, not \"warm\"")
    }

    @Test func `an advertisement is its whole payload`() throws {
        let hex = "020106 0916d2fc 40 0164 02ca09".filter { $0 != " " }
        let payload = try OfflineCodec.decode(advertisement: hex)
        #expect(Value.record(payload) == ["battery": 100, "temperature": 25.06])
        #expect(throws: OfflineCodecError.structures) { try OfflineCodec.decode(advertisement: "0a16d2fc") }
        #expect(throws: OfflineCodecError.advertisement(.unknown)) { try OfflineCodec.decode(advertisement: "020106") }
    }

    @Test func `a wrong key is never shown`() {
        let error = #expect(throws: OfflineCodecError.self) {
            try OfflineCodec.decode(advertisement: "", key: "secret")
        }
        #expect(error == .key)
        #expect(error?.description.contains("secret") == false)
    }
}

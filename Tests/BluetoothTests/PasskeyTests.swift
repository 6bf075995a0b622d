import Bluetooth
import Testing

@Suite struct PasskeyTests {
    @Test(arguments: [("012345", 12345), ("012 345", 12345), ("000000", 0), ("999999", 999_999)] as [(String, UInt32)])
    func `Passkey reads six digits, also with spaces`(text: String, value: UInt32) {
        #expect(Passkey(text)?.value == value)
    }

    @Test(arguments: ["", "7", "12345", "1234567", "12345a", "-12345", "１２３４５６"])
    func `Passkey rejects any other text`(text: String) {
        #expect(Passkey(text) == nil)
    }

    @Test func `Passkey is written with leading zeros`() {
        #expect(Passkey(7)?.description == "000007")
        #expect(Passkey(1_000_000) == nil)
    }
}

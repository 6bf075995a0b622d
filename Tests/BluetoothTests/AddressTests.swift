import Bluetooth
import Testing

@Suite struct AddressTests {
    @Test func `an address is written in upper case with colons`() throws {
        let address = try #require(Address("c0:00:00:0a:0B:01"))
        #expect(address.description == "C0:00:00:0A:0B:01")
        #expect(address.bytes == [0xC0, 0, 0, 0x0A, 0x0B, 1])
    }

    @Test(arguments: [
        "", "C0:00:00:00:00", "C0:00:00:00:00:00:01", "C0-00-00-00-00-01", "C0:00:00:00:00:G1", "C:000:00:00:00:01",
        "C0:00:00:00:00:+1",
    ])
    func `what is not an address is refused`(text: String) {
        #expect(Address(text) == nil)
    }
}

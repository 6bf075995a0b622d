import Bluetooth
import Testing

@Suite struct AddressTests {
    @Test func `Address is written in upper case with colons`() throws {
        let address = try #require(Address("c0:00:00:0a:0B:01"))
        #expect(address.description == "C0:00:00:0A:0B:01")
        #expect(address.bytes == [0xC0, 0, 0, 0x0A, 0x0B, 1])
    }

    @Test(arguments: [
        "", "C0:00:00:00:00", "C0:00:00:00:00:00:01", "C0-00-00-00-00-01", "C0:00:00:00:00:G1", "C:000:00:00:00:01",
        "C0:00:00:00:00:+1",
    ])
    func `Address rejects any other text`(text: String) {
        #expect(Address(text) == nil)
    }

    @Test(
        arguments: [
            ("C0:00:00:00:00:01", .random, false), ("40:00:00:00:00:01", .random, true),
            ("00:00:00:00:00:01", .random, true), ("40:00:00:00:00:01", .public, false),
        ] as [(String, AddressKind, Bool)])
    func `Address is private if it is random and not static`(text: String, kind: AddressKind, isPrivate: Bool) throws {
        #expect(try #require(Address(text)).isPrivate(kind) == isPrivate)
    }
}

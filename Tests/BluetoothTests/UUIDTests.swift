import Bluetooth
import Testing

@Suite struct UUIDTests {
    @Test(arguments: [
        ("2A6E", "2A6E"), ("2a6e", "2A6E"), ("0x2A6E", "2A6E"), ("00002A6E", "2A6E"),
        ("00002a6e-0000-1000-8000-00805f9b34fb", "2A6E"), ("0001abcd", "0001ABCD"),
        ("6E400001-B5A3-F393-E0A9-E50E24DCCA9E", "6e400001-b5a3-f393-e0a9-e50e24dcca9e"),
        ("00000001-0002-0003-0004-000000000005", "00000001-0002-0003-0004-000000000005"),
    ])
    func `UUID is written in its shortest form`(text: String, shortest: String) throws {
        #expect(try #require(UUID(text)).description == shortest)
    }

    @Test(arguments: [
        "", "2A6", "2A6EF", "2A6G", "+A6E", "-A6E", "0x", "0x0x2A6E", "6e400001b5a3f393e0a9e50e24dcca9",
        "6e400001-b5a3-f393-e0a9-e50e24dcca9", "6e40000-1b5a3-f393-e0a9-e50e24dcca9e", "２A6E", "2A6E ",
        "6e400001-b5a3-f393-e0a9-e50e24dcca9e0", "0x6e400001-b5a3-f393-e0a9-e50e24dcca9e", "12345678-", "--------",
        "6e400001-b5a3-f393-e0a90e50e24dcca9e", "6e40000100b5a300f39300e0a900e50e24dc",
    ])
    func `UUID rejects any other text`(text: String) {
        #expect(UUID(text) == nil)
    }

    @Test func `forms of the same UUID are equal and hash alike`() {
        let short = UUID(0x2A6E as UInt16)
        let full = UUID("00002a6e-0000-1000-8000-00805f9b34fb")
        #expect(short == full)
        #expect(Set([short, full]).count == 1)
        #expect(short.short == 0x2A6E)
        #expect(UUID(0x1_2A6E as UInt32).short == nil)
        #expect(short.fullDescription == "00002a6e-0000-1000-8000-00805f9b34fb")
    }

    @Test(arguments: ["2A6E", "0001ABCD", "6e400001-b5a3-f393-e0a9-e50e24dcca9e"])
    func `UUID reads its own bytes`(text: String) throws {
        let uuid = try #require(UUID(text))
        #expect(UUID(littleEndian: uuid.littleEndianBytes) == uuid)
    }

    @Test func `the bytes of a UUID begin with the least significant one`() {
        #expect(UUID(0x2A6E as UInt16).littleEndianBytes == [0x6E, 0x2A])
        #expect(UUID(littleEndian: [1, 2, 3]) == nil)
    }
}

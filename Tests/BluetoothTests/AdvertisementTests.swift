import Bluetooth
import Testing

@Suite struct AdvertisementTests {
    @Test func `Advertisement reads the parts of a payload`() throws {
        let payload: [UInt8] = [
            0x02, 0x01, 0x06, 0x03, 0x03, 0x1A, 0x18, 0x05, 0x09, 0x53, 0x65, 0x6E, 0x73, 0x02, 0x0A, 0xFC, 0x05, 0x16,
            0xD2, 0xFC, 0x40, 0x01, 0x04, 0xFF, 0x99, 0x04, 0x05,
        ]
        let advertisement = try Advertisement(payload: payload)
        #expect(advertisement.localName == "Sens")
        #expect(advertisement.serviceUUIDs == [UUID(0x181A as UInt16)])
        #expect(advertisement.txPowerLevel == -4)
        #expect(advertisement.serviceData == [UUID(0xFCD2 as UInt16): [0x40, 0x01]])
        #expect(advertisement.manufacturerData == [0x0499: [0x05]])
    }

    @Test func `Advertisement reads UUIDs of every length, and the company that was received last`() throws {
        // The first 12 bytes of the UUIDs 6e400001-b5a3-f393-e0a9-e50e24dcca9e and 6e400002-…, in the order of a packet.
        let nordic: [UInt8] = [0x9E, 0xCA, 0xDC, 0x24, 0x0E, 0xE5, 0xA9, 0xE0, 0x93, 0xF3, 0xA3, 0xB5]
        var payload: [UInt8] = [0x03, 0x03, 0x1A, 0x18, 0x05, 0x05, 0x00, 0x00, 0x01, 0x00]
        payload += [0x11, 0x07] + nordic + [0x01, 0x00, 0x40, 0x6E]
        payload += [0x07, 0x09] + Array("Garten".utf8)
        payload += [0x02, 0x0A, 0x80, 0x04, 0x16, 0xD2, 0xFC, 0x01]
        payload += [0x11, 0x21] + nordic + [0x02, 0x00, 0x40, 0x6E]
        payload += [0x03, 0xFF, 0x99, 0x04, 0x05, 0xFF, 0x4C, 0x00, 0x02, 0x15]
        var advertisement = Advertisement()
        advertisement.localName = "Garten"
        advertisement.serviceUUIDs = [
            UUID(0x181A as UInt16), UUID(0x1_0000 as UInt32),
            try #require(UUID("6e400001-b5a3-f393-e0a9-e50e24dcca9e")),
        ]
        advertisement.serviceData = [
            UUID(0xFCD2 as UInt16): [1], try #require(UUID("6e400002-b5a3-f393-e0a9-e50e24dcca9e")): [],
        ]
        advertisement.manufacturerData = [0x004C: [2, 0x15], 0x0499: []]
        advertisement.lastCompany = 0x004C
        advertisement.txPowerLevel = -128
        #expect(try Advertisement(payload: payload) == advertisement)
    }

    @Test(
        arguments: [
            [0x05, 0x09, 0x41], [0x01], [0x02, 0x03, 0x1A], [0x02, 0xFF, 0x99], [0x03, 0x0A, 0x01, 0x02],
            [0x02, 0x16, 0x01],
        ] as [[UInt8]])
    func `Advertisement rejects a truncated structure`(payload: [UInt8]) {
        #expect(throws: AdvertisementPayloadError.self) { try Advertisement(payload: payload) }
    }

    @Test func `AdvertisementPayloadError has the position and the reason`() {
        var error = #expect(throws: AdvertisementPayloadError.self) {
            try Advertisement(payload: [0x02, 0x01, 0x06, 0x05, 0x09, 0x41])
        }
        #expect(error == AdvertisementPayloadError(position: 3, reason: .truncated(announced: 5, found: 2)))
        error = #expect(throws: AdvertisementPayloadError.self) { try Advertisement(payload: [0x02, 0x03, 0x1A]) }
        #expect(error == AdvertisementPayloadError(position: 0, reason: .wrongLength(type: 0x03)))
    }

    @Test func `a length of 0 ends the payload`() throws {
        #expect(try Advertisement(payload: [0x02, 0x09, 0x41, 0, 0xFF, 0xFF]).localName == "A")
    }

    @Test func `the complete name takes precedence over the shortened one`() throws {
        #expect(try Advertisement(payload: [3, 0x09, 0x41, 0x42, 2, 0x08, 0x41]).localName == "AB")
        #expect(try Advertisement(payload: [2, 0x08, 0x41, 3, 0x09, 0x41, 0x42]).localName == "AB")
    }
}

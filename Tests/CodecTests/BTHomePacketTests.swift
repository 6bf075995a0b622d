import Bluetooth
import Testing

@testable import Codec

@Suite struct BTHomePacketTests {
    private func decoded(_ data: [UInt8]) throws -> String {
        var decoder = AdvertisementDecoder(address: Address(0xC000_0000_0001))
        var advertisement = Advertisement()
        advertisement.serviceData[BTHomePacket.service] = data
        let reading = try #require(try decoder.decode(advertisement).readings.first?.reading)
        return Value.record(reading.payload).description
    }

    @Test func `values are in the order of their objects, rounded to their resolution`() throws {
        let data = try BTHomePacket.encode(
            [("humidity", 40.126), ("window", true), ("temperature", 21.5), ("battery", 80)], number: 7)
        #expect(try decoded(data).contains(#""temperature":21.5"#))
        #expect(try decoded(data).contains(#""humidity":40.13"#))
        #expect(try decoded(data).contains(#""window":true"#))
        let identifiers = [data[1], data[3], data[5], data[8], data[11]]
        #expect(identifiers == [0x00, 0x01, 0x02, 0x03, 0x2D])
    }

    @Test func `a number that does not fit an object gets a wider one`() throws {
        #expect(try BTHomePacket.encode([("count", 255)], number: 0).hexadecimal == "40000009ff")
        #expect(try BTHomePacket.encode([("count", 256)], number: 0).hexadecimal == "4000003d0001")
        #expect(try BTHomePacket.encode([("count", -1)], number: 0).hexadecimal == "40000059ff")
        #expect(try BTHomePacket.encode([("power", -5)], number: 0)[3] == 0x5C)
        #expect(try BTHomePacket.encode([("temperature", 500)], number: 0).hexadecimal == "400000458813")
    }

    @Test(arguments: [("temperature", 5000), ("battery", 300), ("colour", 1), ("window", 7)] as [(String, Value)])
    func `a value that no object can carry is rejected`(name: String, value: Value) {
        #expect(throws: EncodingError.self) { try BTHomePacket.encode([(name, value)], number: 0) }
    }

    @Test(arguments: BTHomePacket.names)
    func `each value is decoded as it was encoded`(name: String) throws {
        let value: Value = BTHomePacket.isCondition(name) ? true : 1
        let payload = try decoded(try BTHomePacket.encode([(name, value)], number: 1))
        #expect(payload.contains("\"\(name)\":\(value)"), "\(payload)")
        #expect(BTHomePacket.size(of: name) > 1)
    }
}

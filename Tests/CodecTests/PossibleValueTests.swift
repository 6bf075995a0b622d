import Bluetooth
import Testing
import TestSupport

@testable import Codec

/// Values that a quantity cannot have: they are null, never a number.
@Suite struct PossibleValueTests {
    private static func record(service: UInt16, _ hex: String) throws -> Record {
        var advertisement = Advertisement()
        advertisement.serviceData[UUID(service)] = try HexadecimalText(hex).bytes
        var decoder = AdvertisementDecoder()
        return try decoder.decode(advertisement).readings.payload
    }

    @Test func `a charge, a humidity or a temperature outside its limits is not known`() throws {
        // BTHome: battery 200 %, temperature -300 °C, humidity 150 %, then a valid voltage.
        let reading = try Self.record(service: 0xFCD2, "40 01C8 02D08A 03983A 0CB80B")
        #expect(reading["battery"] == .null)
        #expect(reading["temperature"] == .null)
        #expect(reading["humidity"] == .null)
        #expect(reading["voltage"] == 3)
    }

    @Test func `the limits themselves are possible`() throws {
        let reading = try Self.record(service: 0xFCD2, "40 0164 031027")
        #expect(reading["battery"] == 100)
        #expect(reading["humidity"] == 100)
    }

    @Test func `a charge and a warning of a low charge have different names`() throws {
        let reading = try Self.record(service: 0xFCD2, "40 0105 1501 0B640000 1001 1401F4 2001 1C00")
        #expect(reading["battery"] == 5 && reading["battery_low"] == true)
        #expect(reading["power"] == 1 && reading["power_on"] == true)
        #expect(reading["moisture_detected"] == true && reading["gas_detected"] == false)
    }

    @Test func `a humidifier whose meter sends no value has neither humidity nor temperature`() throws {
        var advertisement = Advertisement()
        advertisement.serviceData[0xFD3D] = try HexadecimalText("230064").bytes
        advertisement.manufacturerData[0x0969] = try HexadecimalText("B0E9FEE61A71 01 81 00 FF FF 50 0000 0000 28")
            .bytes
        var decoder = AdvertisementDecoder()
        let reading = try decoder.decode(advertisement).readings.payload
        #expect(reading["humidity"] == .null && reading["temperature"] == .null)
        #expect(reading["target_humidity"] == 40)
    }

    @Test func `a mutated advertisement has no impossible value`() throws {
        var random = SeededGenerator(seed: 20_261_124)
        let packets = DevicePacket.all
        var impossible: [String] = []
        for _ in 1...20_000 {
            let packet = packets[Int(random.next() % UInt64(packets.count))]
            guard packet.key == nil else { continue }
            var advertisement = try packet.advertisement
            advertisement.manufacturerData = advertisement.manufacturerData.mapValues { Self.mutated($0, &random) }
            advertisement.serviceData = advertisement.serviceData.mapValues { Self.mutated($0, &random) }
            var decoder = packet.decoder
            guard let contents = try? decoder.decode(advertisement) else { continue }
            for member in contents.readings.flatMap(\.reading.payload.members) {
                guard case .number(let number) = member.value, let limits = Self.limits[member.name] else { continue }
                if !limits.contains(number) { impossible.append("\(packet): \(member.name) is \(number)") }
            }
        }
        #expect(impossible.isEmpty, "\(impossible.prefix(10).joined(separator: "\n"))")
    }

    private static let limits: [String: ClosedRange<Decimal>] = [
        "battery": 0...100, "humidity": 0...100,
        // The greatest possible temperature in °F, which some devices use.
        "temperature": -459.67...4532,
    ]

    private static func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.next() % 3 where !bytes.isEmpty {
            bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
        }
        return bytes
    }
}

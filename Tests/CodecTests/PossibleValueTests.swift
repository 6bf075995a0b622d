import Bluetooth
import Foundation
import JSON
import TestSupport
import Testing

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

    @Test func `an illuminance above that of sunlight is not known`() throws {
        let noise = try Self.record(service: 0xFDCD, "08 12 005E60342D58 08 04 00 0B1503 0F 01 5B")
        #expect(noise["motion"] == false && noise["illuminance"] == .null)
        // The bytes after the motion of a Qingping event are no measurement: qingping-ble issue 84.
        let event = try Self.record(service: 0xFDCD, "48 12 005E60342D58 08 04 00 0B1503 0F 01 5B")
        #expect(event["motion"] == false && event["illuminance"] == nil)
        let sun = try Self.record(service: 0xFDCD, "08 12 005E60342D58 02 01 64 0F 01 57 08 04 01 333701")
        #expect(sun["motion"] == true && sun["illuminance"] == 79_667)
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

    @Test(
        arguments: [
            (0x05, nil, "740"), (0x03, nil, "380"), (0x0A, nil, "171"), (0x12, nil, "null"), (0x12, .propane, "380"),
            (0x03, .water, "740"), (0x05, .propane, "380"), (0x03, .diesel, "624"), (0x05, .oil, "624"),
            (0x05, .air, "171"),
        ] as [(UInt8, TankMedium?, String)])
    func `the level of a tank depends on the medium, which is that of the model if none is configured`(
        model: UInt8, medium: TankMedium?, level: String
    ) throws {
        var advertisement = Advertisement()
        advertisement.serviceUUIDs = [0xFEE5]
        advertisement.manufacturerData[0x0059] = try [model] + HexadecimalText("60 3D E8C3 E0F509 F0 D8").bytes
        var decoder = AdvertisementDecoder(formats: medium.map { Advertisements.tankSensors(in: $0) } ?? [])
        let reading = try decoder.decode(advertisement).readings.payload
        #expect(reading["tank_level"].map { "\($0)" } == level)
        #expect(reading["temperature"] == 21)
    }

    @Test func `a meter without a measurement has neither humidity nor temperature nor charge`() throws {
        let empty = try Self.record(service: 0xFD3D, "54 00 00 00 00 00")
        #expect(empty["battery"] == .null && empty["humidity"] == .null && empty["temperature"] == .null)
        let measured = try Self.record(service: 0xFD3D, "54 00 64 05 95 2D")
        #expect(measured["battery"] == 100 && measured["humidity"] == 45 && measured["temperature"] == 21.5)
        // Frost with an empty battery is a measurement.
        let frost = try Self.record(service: 0xFD3D, "54 00 00 00 80 01")
        #expect(frost["battery"] == 0 && frost["humidity"] == 1 && frost["temperature"] == 0)
    }

    @Test(arguments: [("E4", "100"), ("64", "100"), ("5C", "92"), ("FF", "null"), ("65", "null"), ("00", "0")])
    func `the charge of a Qingping sensor has seven bits`(byte: String, charge: String) throws {
        let reading = try Self.record(service: 0xFDCD, "08 0C AABBCC342D58 01 04 0F01 8102 02 01 \(byte)")
        #expect(reading["battery"].map { "\($0)" } == charge && reading["temperature"] == 27.1)
    }

    @Test(arguments: [
        (0, "0"), (196, "0"), (197, "0.01"), (2048, "56.5"), (3473, "99.99"), (3474, "100"), (4095, "100"),
    ])
    func `the humidity of SensorPush's HT1 is within 0 to 100 percent`(raw: UInt32, humidity: String) throws {
        // A temperature of 21.5 °C, and the type of the device.
        let number = raw | 6373 << 12 | 1 << 26
        var advertisement = Advertisement()
        advertisement.serviceUUIDs = [try #require(UUID("ef090000-11d6-42ba-93b8-9dd7ec090aa9"))]
        advertisement.manufacturerData[UInt16(truncatingIfNeeded: number)] = [
            UInt8(truncatingIfNeeded: number >> 16), UInt8(truncatingIfNeeded: number >> 24),
        ]
        var decoder = AdvertisementDecoder()
        let reading = try decoder.decode(advertisement).readings.payload
        #expect(reading["humidity"].map { "\($0)" } == humidity && reading["temperature"] == 21.5)
    }

    @Test func `a boolean of BTHome has no name of a number`() {
        var kinds: [String: Set<Bool>] = [:]
        for field in Advertisements.bthomeObjects.values.flatMap(\.self) where !field.name.isEmpty {
            if case .value(.boolean, _) = field.content {
                kinds[field.name, default: []].insert(true)
            } else {
                kinds[field.name, default: []].insert(false)
            }
        }
        #expect(kinds.count > 50 && kinds.values.allSatisfy { $0.count == 1 })
    }

    @Test func `a mutated advertisement has no impossible value`() throws {
        var random = SeededGenerator(seed: 20_261_124 &+ SeededGenerator.fuzzSeed)
        let packets = DevicePacket.all
        var (impossible, count): ([String], Int) = ([], 0)
        for _ in 1...Self.runs {
            let packet = packets[Int(random.next() % UInt64(packets.count))]
            guard packet.key == nil else { continue }
            var advertisement = try packet.advertisement
            advertisement.manufacturerData = advertisement.manufacturerData.mapValues { Self.mutated($0, &random) }
            advertisement.serviceData = advertisement.serviceData.mapValues { Self.mutated($0, &random) }
            var decoder = packet.decoder
            guard let contents = try? decoder.decode(advertisement) else { continue }
            for member in contents.readings.flatMap(\.reading.payload) {
                guard case .number(let number) = member.value else { continue }
                count += 1
                guard let limits = Self.limits(of: member.name) else { continue }
                if !limits.contains(number) { impossible.append("\(packet): \(member.name) is \(number)") }
            }
        }
        #expect(count > Self.runs)
        #expect(impossible.isEmpty, "\(impossible.prefix(10).joined(separator: "\n"))")
    }

    @Test func `no format, for any bytes, returns a value that its quantity cannot have`() {
        var random = SeededGenerator(seed: 3 &+ SeededGenerator.fuzzSeed)
        let formats =
            Characteristics.all.map { ($0.name, $0.format) } + Descriptors.all.map { ($0.name, $0.format) }
            + Advertisements.all.map { ($0.name, $0.format) }
        var (impossible, limited): (Set<String>, Set<String>) = ([], [])
        for (name, format) in formats {
            let quantities = Dictionary(format.quantities.map { ($0.name, $0) }) { first, _ in first }
            let limits = quantities.compactMapValues { quantity in
                quantity.otherUnit == nil ? quantity.kind?.possibleValues(in: quantity.unit) : nil
            }
            guard !limits.isEmpty else { continue }
            for run in 0..<100 {
                let count = Int.random(in: 1...24, using: &random)
                let bytes = (0..<count).map { _ in run == 0 ? 0xFF : UInt8.random(in: 0...255, using: &random) }
                guard let reading = try? format.decode(bytes) else { continue }
                for member in reading.payload {
                    guard let possible = limits[member.name], case .number(let number) = member.value else { continue }
                    limited.insert("\(name) \(member.name)")
                    if !possible.contains(number) { impossible.insert("\(name): \(member.name) is \(number)") }
                }
            }
        }
        #expect(limited.count > 50, "\(limited.count)")
        #expect(impossible.isEmpty, "\(impossible.sorted().prefix(20).joined(separator: "\n"))")
    }

    /// The number of mutated advertisements.
    private static let runs =
        ProcessInfo.processInfo.environment["BLUEFLEET_FUZZ_RUNS"].flatMap { Int($0) } ?? 12_000

    /// Returns a name without the number of one of several equal quantities: `temperature_2`.
    private static func withoutNumber(_ name: String) -> String {
        let parts = name.split(separator: "_")
        return parts.count > 1 && parts.last.map { $0.allSatisfy(\.isNumber) } == true
            ? parts.dropLast().joined(separator: "_") : name
    }

    private static let limits: [String: ClosedRange<Codec.Decimal>] = [
        "battery": 0...100, "humidity": 0...100, "moisture": 0...100, "rssi": -127...20,
        // The greatest possible temperature in °F, which some devices use.
        "temperature": -459.67...4532, "co2": 0...1_000_000,
    ]

    /// Returns the limits of a quantity, also for names such as `outdoor_temperature` and `humidity_2`; nil: none.
    private static func limits(of name: String) -> ClosedRange<Codec.Decimal>? {
        let name = withoutNumber(name)
        return name == "color_temperature"
            ? nil : limits[name] ?? limits.first { name.hasSuffix("_\($0.key)") }?.value
    }

    private static func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.next() % 3 where !bytes.isEmpty {
            bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
        }
        return bytes
    }
}

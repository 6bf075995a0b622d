import Bluetooth
import Codec
import CountingMalloc

/// Prints nanoseconds and allocations per decode.
///
///     BLUEFLEET_BENCHMARK=1 swift run -c release CodecBenchmark
@main struct CodecBenchmark {
    static func main() throws {
        try measure("scalar: 2A6E temperature", "temperature", [0x69, 0x08])
        try measure(
            "record: 2A37 heart rate with three RR intervals", "heart_rate_measurement",
            [
                0x16, 72, 0x40, 0x03, 0x41, 0x03, 0x42, 0x03,
            ])
        let custom = Format((0..<12).map { Field.number("field_\($0)", $0.isMultiple(of: 2) ? .uint16 : .sint8) })
        try measure("custom: twelve fields", custom, [UInt8](0..<18))
        try measureEncrypted()
    }

    private static func measure(_ title: String, _ name: String, _ bytes: [UInt8]) throws {
        guard let definition = Characteristics.definition(named: name) else { return }
        try measure(title, definition.format, bytes)
    }

    private static func measure(_ title: String, _ format: Format, _ bytes: [UInt8]) throws {
        try measure(title) { _ = try format.decode(bytes.span) }
    }

    private static func measureEncrypted() throws {
        var advertisement = Advertisement()
        advertisement.serviceData[0xFCD2] = [UInt8](hexadecimal: "41a47266c95f730011223378237214")
        var decoder = AdvertisementDecoder(
            address: Address("54:48:E6:8F:80:A5"), key: AdvertisementKey("231d39c1d7cc1ab1aee224cd096db932"))
        try measure("advertisement: encrypted BTHome 2, two objects") { _ = try decoder.decode(advertisement) }
    }

    private static func measure(_ title: String, _ body: () throws -> Void) throws {
        let runs = 200_000
        for _ in 0..<1000 { try body() }
        let allocations = allocation_count()
        let time = try ContinuousClock().measure { for _ in 0..<runs { try body() } }
        let nanoseconds = time.components.seconds * 1_000_000_000 + time.components.attoseconds / 1_000_000_000
        print(
            "\(title): \(nanoseconds / Int64(runs)) ns, \((allocation_count() - allocations) / UInt(runs)) allocations")
    }
}

import Bluetooth

extension Advertisements {
    /// The formats of Sensirion's gadgets: one format for each sample type, which is the second byte of the data.
    ///
    /// Source: the maker's libraries for the gadgets; akx/sensirion-ble.
    static let sensirion: [AdvertisementFormat] = [
        sample(3, temperature, humidity, volatile),
        sample(4, temperature, humidity),
        sample(6, temperature, wideHumidity),
        sample(8, temperature, humidity, carbonDioxide),
        sample(10, temperature, humidity, carbonDioxide),
        sample(12, temperature, humidity, carbonDioxide, earlyParticles),
        sample(14, temperature, humidity, formaldehyde),
        sample(16, temperature, humidity, volatile, earlyParticles),
        sample(20, temperature, humidity, carbonDioxide, volatile, earlyParticles, formaldehyde),
        sample(22, temperature, humidity, volatile, nitrogen),
        sample(24, temperature, humidity, volatile, nitrogen, particles),
        sample(26, temperature, humidity, carbonDioxide, volatile, nitrogen, particles),
        sample(28, temperature, humidity, carbonDioxide, particles),
        sample(30, temperature, humidity, volatile, particles),
        sample(31, temperature, humidity, carbonDioxide, volatile, particles, formaldehyde),
        sample(
            34, [.particles("pm1", .uint16, 0.1, kind: .pm1)], particles,
            [.particles("pm4", .uint16, 0.1, kind: .pm4)],
            [.particles("pm10", .uint16, 0.1, kind: .pm10)]),
        sample(36, carbonDioxide),
        sample(38, airSpeed, temperature),
        sample(
            40, temperature, humidity, [.number("hydrogen", .uint16, 0.01, "%", kind: .measurement)],
            [.pressure(.uint16, 1)]),
    ]

    private static func sample(_ type: UInt8, _ values: [Field]...) -> AdvertisementFormat {
        AdvertisementFormat(
            "sensirion_\([type].hexadecimal)",
            AdvertisementMatch(
                .company(0x06D5), startingWith: BytePattern(0, type), lengths: 4 + 2 * values.count...255),
            [.reserved(2), .bytes("device_id", length: 2)] + values.joined() + [.rest])
    }

    private static let temperature = [
        Field.number("raw_temperature", .uint16).hidden,
        .calculatedTemperature("round(raw_temperature * 175 / 65535 - 45, 4)"),
    ]
    private static let humidity = [
        Field.number("raw_humidity", .uint16).hidden,
        .calculatedHumidity("round(raw_humidity * 100 / 65535, 4)"),
    ]
    /// The fields of a relative humidity from -6 % to 119 %.
    private static let wideHumidity = [
        Field.number("raw_humidity", .uint16).hidden,
        .calculatedHumidity("round(raw_humidity * 125 / 65535 - 6, 4)"),
    ]
    private static let carbonDioxide = [Field.carbonDioxide()]
    private static let volatile = [Field.number("voc_index", .uint16, kind: .measurement)]
    private static let nitrogen = [Field.number("nox_index", .uint16, kind: .measurement)]
    private static let formaldehyde = [Field.number("formaldehyde", .uint16, 0.2, "ppb", kind: .measurement)]
    private static let particles = [Field.particles("pm25", .uint16, 0.1, kind: .pm25)]
    /// The fields of a particle concentration from 0 to 1 mg/m³.
    private static let earlyParticles = [
        Field.number("raw_pm25", .uint16).hidden,
        .calculated("pm25", "round(raw_pm25 * 1000 / 65535, 4)", "μg/m³", kind: .pm25),
    ]
    private static let airSpeed = [
        Field.number("raw_speed", .uint16).hidden,
        .calculated("speed", "round(raw_speed * 1024 / 65535, 4)", "m/s", kind: .speed),
    ]
}

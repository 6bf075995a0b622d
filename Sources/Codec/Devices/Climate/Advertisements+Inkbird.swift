import Bluetooth

extension Advertisements {
    /// The formats of Inkbird's thermometers.
    ///
    /// The oldest models have no company identifier: a measurement is in its place.
    ///
    /// Source: Bluetooth-Devices/inkbird-ble; theengs/decoder.
    static let inkbird: [AdvertisementFormat] =
        [
            // A model without a humidity sensor sends 0 or 0xFFFF as the humidity.
            AdvertisementFormat(
                "inkbird_ibs_th", AdvertisementMatch(.anyCompany, lengths: 9...9, names: ["sps", "tps"]),
                [
                    .temperature(.sint16, 0.01), humidity(0.01, unknown: [0, 0xFFFF]),
                    .bits(.uint8, .shown("ext_probe", 0)), .reserved(2), battery, .reserved(1),
                ]),
            AdvertisementFormat("inkbird_18", AdvertisementMatch(.company(0x2449), lengths: 16...16), climate(from: 4)),
            AdvertisementFormat(
                "inkbird_18",
                AdvertisementMatch(
                    .anyCompany, lengths: 18...18, names: ["IBS-P02B", "ITH-11-B", "ITH-13-B", "ITH-21-B"]),
                climate(from: 6)),
            AdvertisementFormat(
                "inkbird_iam_t2", AdvertisementMatch(.company(0x3254), lengths: 15...15),
                [
                    .reserved(1), .mac, .bits(.uint8, .hidden("fahrenheit", 1)),
                    Field.number("tenths", .sint16).bigEndian.hidden, humidity().bigEndian,
                    Field.carbonDioxide().bigEndian,
                    .reserved(1),
                    .calculatedTemperature("if(fahrenheit, round((tenths - 320) / 18, 2), tenths / 10)"),
                ]),
        ]
        + [1, 2, 4, 6].flatMap {
            barbecue("00", .mac, probes: $0) + barbecue("01", .reversedMAC, probes: $0)
                + barbecue(unordered, .mac, probes: $0)
        }

    /// The first byte of devices whose byte order of the address is not known.
    private static let unordered = "02"

    private static func climate(from start: Int) -> [Field] {
        [.reserved(start), .temperature(.sint16, 0.1), humidity(unknown: [0]), battery, .reserved(7)]
    }

    // All bits are set while the sensors are not ready; in this case the temperature is not valid either.
    private static func humidity(_ scale: Decimal = 0.1, unknown: [Int128] = []) -> Field {
        .number("humidity", .uint16, scale, "%", unknown: unknown, in: 0...100, kind: .humidity)
    }

    private static let battery = Field.number("battery", .uint8, 1, "%", in: 0...100, kind: .battery)

    /// Returns the formats of thermometers with probes.
    ///
    /// A packet contains a number that determines the byte order of the address, the address, and the temperatures.
    private static func barbecue(_ kind: String, _ address: Field, probes: Int) -> [AdvertisementFormat] {
        let length = 10 + 2 * probes
        let match = AdvertisementMatch(
            .anyCompany, startingWith: "\(kind) 000000", lengths: length...length, names: ["iBBQ", "xBBQ"])
        // If a probe is missing, its temperature is -1.0 °C, or all bits are set.
        let temperatures = (1...probes).map { number -> Field in
            .temperature(.sint16, 0.1, unknown: -1, -10, name: "temperature_probe_\(number)")
        }
        if kind == unordered { return [AdvertisementFormat("inkbird_ibbq", match, [.reserved(10)] + temperatures)] }
        return AdvertisementFormat("inkbird_ibbq", match, [.reserved(4), address] + temperatures).recognizedByAddress
    }
}

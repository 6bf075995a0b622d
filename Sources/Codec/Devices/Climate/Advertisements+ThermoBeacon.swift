import Bluetooth

extension Advertisements {
    /// The formats of ThermoBeacons, which alternate: current values, and extreme temperatures since the last reset.
    ///
    /// Source: Bluetooth-Devices/thermobeacon-ble.
    static let thermoBeacon: [AdvertisementFormat] =
        [0x10, 0x11, 0x14, 0x15, 0x18, 0x1B, 0x30].flatMap { (company: UInt16) in
            [
                AdvertisementFormat(
                    "thermobeacon", match(company, length: 18),
                    head + [.voltage(), degrees("temperature"), humidity, time("uptime"), battery]),
                AdvertisementFormat(
                    "thermobeacon_extremes", match(company, length: 20),
                    head + [
                        degrees("temperature_maximum"), time("time_of_maximum"), degrees("temperature_minimum"),
                        time("time_of_minimum"),
                    ]),
            ].flatMap(\.recognizedByAddress)
        }

    private static func match(_ company: UInt16, length: Int) -> AdvertisementMatch {
        AdvertisementMatch(.company(company), startingWith: "???0", lengths: length...length, services: [0xFFF0])
    }

    private static let head = [Field.reserved(1), .bits(.uint8, .shown("button_pressed", 7)), .reversedMAC]

    // Other devices use the same company identifiers; values outside these ranges belong to their packets.
    private static func degrees(_ name: String) -> Field {
        .number(name, .sint16, 0.0625, "°C", in: -60...100, kind: .temperature)
    }

    private static let humidity = Field.number(
        "humidity", .uint16, 0.0625, "%", in: 0...100, kind: .humidity)

    /// Returns the field of a time in seconds since the device was started.
    private static func time(_ name: String) -> Field {
        .number(name, .uint32, 1, "s", kind: .duration)
    }

    /// The charge of the battery in percent, calculated from its voltage.
    private static let battery = Field.calculated(
        "battery",
        """
        round(if(voltage >= 3, 100, if(voltage >= 2.6, 60 + (voltage - 2.6) * 100, \
        if(voltage >= 2.5, 40 + (voltage - 2.5) * 200, if(voltage >= 2.45, 20 + (voltage - 2.45) * 400, 0)))))
        """, "%", kind: .battery)
}

/// The device classes of Home Assistant for numbers of configured formats without a configured class.
package enum LikelyClass {
    /// Returns the device class of a unit; nil if several classes use the unit, such as g (mass or acceleration), mm
    /// (distance or rain), or L and m³ (gas, water and other volumes).
    package static func of(unit: String) -> String? {
        classes[DeviceClassUnits.spelled(unit)]
    }

    private static let classes: [String: String] = {
        let units = [
            "temperature": "°C °F K", "illuminance": "lx", "irradiance": "W/m²", "voltage": "V mV kV",
            "current": "A mA \u{3BC}A", "power": "W mW kW MW", "apparent_power": "VA kVA",
            "reactive_power": "var kvar", "energy": "Wh mWh kWh MWh", "frequency": "Hz kHz MHz GHz",
            "atmospheric_pressure": "hPa inHg", "pressure": "Pa kPa bar mbar cbar psi mmHg", "signal_strength": "dBm",
            "sound_pressure": "dBA", "duration": "ms s min h d", "conductivity": "\u{3BC}S/cm mS/cm S/cm",
            "weight": "kg mg lb oz", "distance": "cm m km", "speed": "m/s km/h mph",
            "volume_flow_rate": "L/h L/min L/s m³/h m³/min m³/s mL/s", "data_size": "B kB MB GB KiB MiB GiB",
            "data_rate": "bit/s kbit/s Mbit/s B/s kB/s MB/s", "precipitation_intensity": "mm/h",
        ]
        let pairs = units.flatMap { row in row.value.split(separator: " ").map { (String($0), row.key) } }
        return Dictionary(uniqueKeysWithValues: pairs)
    }()
}

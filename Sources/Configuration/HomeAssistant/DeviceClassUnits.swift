/// The units that Home Assistant 2026.11 allows for each device class.
///
/// Home Assistant rejects an entity with any other unit.
package enum DeviceClassUnits {
    /// Returns whether Home Assistant allows a unit for a class; true if the class is unknown.
    ///
    /// `unit` is in the spelling of Home Assistant; nil for a number without a unit.
    package static func allow(_ unit: String?, of deviceClass: String) -> Bool {
        all[deviceClass]?.contains(unit ?? none) ?? true
    }

    /// Returns a unit in the spelling of Home Assistant.
    ///
    /// Home Assistant uses the Greek letter mu (U+03BC), and accepts the micro sign (U+00B5) only in a few units.
    package static func spelled(_ unit: String) -> String {
        String(unit.map { $0 == "\u{B5}" ? "\u{3BC}" : $0 })
    }

    /// Returns the problem with a unit; nil if the unit is allowed or the class is unknown.
    static func problem(with unit: String?, of deviceClass: String) -> String? {
        guard let units = all[deviceClass], !allow(unit.map(spelled), of: deviceClass) else { return nil }
        let known = units.map { $0 == none ? "no unit" : $0 }.joined(separator: ", ")
        let found = unit.map { "found \($0)" } ?? "found no unit"
        return "expected a unit of the Home Assistant class \(deviceClass) (\(known)), \(found)"
    }

    /// The units of all device classes.
    static var allUnits: [String] { all.values.flatMap { $0 }.filter { $0 != none } }

    private static let none = "(none)"

    private static let all: [String: [String]] = {
        let rows = table.split(separator: "\n").map { row -> (String, [String]) in
            let parts = row.split(separator: ":", maxSplits: 1).map { $0.drop(while: \.isWhitespace) }
            let units = parts[1].split(separator: ",").map { String($0.drop(while: \.isWhitespace)) }
            return (String(parts[0]), units)
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }()

    private static let table = """
        absolute_humidity: g/m³, mg/m³
        apparent_power: VA, kVA, mVA
        aqi: (none)
        area: ac, cm², ft², ha, in², km², mi², mm², m², yd²
        atmospheric_pressure: Pa, atm, bar, cbar, hPa, inHg, inH₂O, kPa, mPa, mbar, mmHg, psi
        battery: %
        blood_glucose_concentration: mg/dL, mmol/L
        carbon_dioxide: ppm
        carbon_monoxide: mg/m³, ppb, ppm, μg/m³
        conductivity: S/cm, mS/cm, μS/cm
        current: A, mA, μA
        data_rate: B/s, GB/s, Gbit/s, GiB/s, KiB/s, MB/s, Mbit/s, MiB/s, bit/s, kB/s, kbit/s
        data_size: B, EB, EiB, GB, Gbit, GiB, KiB, MB, Mbit, MiB, PB, PiB, TB, TiB, YB, YiB, ZB, ZiB, bit, \
            kB, kbit
        distance: cm, ft, in, km, m, mi, mm, nmi, yd
        duration: d, h, min, ms, s, μs
        energy: GJ, GWh, Gcal, J, MJ, MWh, Mcal, TWh, Wh, cal, kJ, kWh, kcal, mWh, thm
        energy_distance: Wh/km, kWh/100km, km/kWh, mi/kWh
        energy_storage: GJ, GWh, Gcal, J, MJ, MWh, Mcal, TWh, Wh, cal, kJ, kWh, kcal, mWh, thm
        frequency: GHz, Hz, MHz, kHz, mHz
        gas: CCF, L, MCF, ft³, m³
        humidity: %
        illuminance: lx
        irradiance: BTU/(h⋅ft²), W/m²
        moisture: %
        nitrogen_dioxide: ppb, ppm, μg/m³
        nitrogen_monoxide: ppb, μg/m³
        nitrous_oxide: μg/m³
        ozone: ppb, ppm, μg/m³
        ph: (none)
        pm1: μg/m³
        pm10: μg/m³
        pm25: μg/m³
        pm4: μg/m³
        power: GW, MW, TW, W, kW, mW
        power_factor: %, (none)
        precipitation: cm, in, mm
        precipitation_intensity: in/d, in/h, mm/d, mm/h
        pressure: Pa, atm, bar, cbar, hPa, inHg, inH₂O, kPa, mPa, mbar, mmHg, psi
        radon: Bq/m³, pCi/L
        reactive_energy: kvarh, varh
        reactive_power: kvar, mvar, var
        signal_strength: dB, dBm
        sound_pressure: dB, dBA
        speed: Beaufort, ft/s, in/d, in/h, in/s, km/h, kn, m/min, m/s, mm/d, mm/h, mm/s, mph
        sulphur_dioxide: ppb, μg/m³
        temperature: K, °C, °F
        temperature_delta: K, °C, °F
        volatile_organic_compounds: mg/m³, μg/m³
        volatile_organic_compounds_parts: ppb, ppm
        voltage: MV, V, kV, mV, μV
        volume: CCF, L, MCF, fl. oz., ft³, gal, mL, m³
        volume_flow_rate: L/h, L/min, L/s, ft³/min, gal/d, gal/h, gal/min, mL/s, m³/h, m³/min, m³/s
        volume_storage: CCF, L, MCF, fl. oz., ft³, gal, mL, m³
        water: CCF, L, MCF, ft³, gal, m³
        weight: g, kg, lb, mg, oz, st, μg
        wind_direction: °
        wind_speed: Beaufort, ft/s, in/s, km/h, kn, m/min, m/s, mm/s, mph
        """
}

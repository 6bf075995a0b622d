import Codec

extension Kind where Value == String {
    /// A unit; a unit that is probably a misspelling of a known unit causes a warning.
    ///
    /// Other units are valid, because each device may count something of its own.
    static var unit: Kind {
        Kind("text") { node, mistakes in
            let unit = text.read(node, mistakes)
            if let unit, let meant = UnitSpelling.correction(of: unit) {
                mistakes.warn(
                    "unknown unit \(unit.quotedForMessage): did you mean \(meant.quotedForMessage)?", at: node.position)
            }
            return unit
        }
    }
}

/// The spelling of units.
enum UnitSpelling {
    /// Returns the known unit that a unit probably means; nil if the unit is known or not similar to a known unit.
    static func correction(of unit: String) -> String? {
        let known = Self.known
        if known.contains(DeviceClassUnits.spelled(unit)) { return nil }
        if let meant = synonyms[unit.lowercased()] { return meant }
        let sameLetters = known.sorted().filter { $0.lowercased() == unit.lowercased() }
        if let first = sameLetters.first { return first }
        // Two short units differ by one letter although neither is a misspelling, e.g. Ah and Wh.
        return unit.count < 3 ? nil : unit.nearest(in: known.sorted().filter { $0.count > 2 })
    }

    private static let known = Set(DeviceClassUnits.allUnits + Units.all + others)

    /// Usual units that neither Home Assistant nor the Bluetooth SIG defines.
    private static let others = [
        "mAh", "kAh", "VAh", "mΩ", "kΩ", "MΩ", "mT", "μT", "nT", "mN", "kN", "Nm", "N⋅m", "nm", "μm", "pF", "nF", "μF",
        "mH", "μH", "mol/L", "μmol/L", "mg/L", "μg/L", "g/L", "NTU", "klx", "klm", "rps", "Mbps", "kbps", "dBi", "mGal",
        "kvar", "VAr", "fps", "steps", "pulses", "counts", "mcd", "mK", "μSv/h", "mSv/h", "mSv", "μSv", "kBq/m³", "cpm",
        "cps", "tsp", "cup", "min⁻¹", "s⁻¹", "L/100km", "km/L", "mmH₂O", "mmWC", "°dH", "°C/h", "g/m²", "W/m", "kg/h",
    ]

    /// Names of units in lower case, and symbols of other standards.
    private static let synonyms = [
        "c": "°C", "\u{BA}c": "°C", "\u{2103}": "°C", "degc": "°C", "deg c": "°C", "celsius": "°C", "centigrade": "°C",
        "f": "°F", "\u{BA}f": "°F", "\u{2109}": "°F", "degf": "°F", "deg f": "°F", "fahrenheit": "°F", "kelvin": "K",
        "percent": "%", "pct": "%", "%rh": "%", "rh": "%", "degree": "°", "degrees": "°", "deg": "°",
        "volt": "V", "volts": "V", "ampere": "A", "amperes": "A", "amp": "A", "amps": "A", "watt": "W", "watts": "W",
        "lux": "lx", "hertz": "Hz", "pascal": "Pa", "joule": "J", "ohm": "Ω", "ohms": "Ω",
        "meter": "m", "meters": "m", "metre": "m", "metres": "m", "liter": "L", "liters": "L", "litre": "L",
        "litres": "L",
        "gram": "g", "grams": "g", "second": "s", "seconds": "s", "sec": "s", "minute": "min", "minutes": "min",
        "hour": "h", "hours": "h", "hr": "h", "day": "d", "days": "d", "lbs": "lb", "kph": "km/h", "kmh": "km/h",
        "m2": "m²", "m3": "m³", "m^2": "m²", "m^3": "m³", "ug/m3": "μg/m³", "ug/m³": "μg/m³", "\u{3BC}g/m3": "μg/m³",
        "\u{B5}g/m3": "μg/m³", "mg/m3": "mg/m³", "us/cm": "μS/cm",
    ]
}

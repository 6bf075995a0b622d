import Bluetooth

/// The units of the Bluetooth SIG, in the spelling of Home Assistant, and the kind of quantity that each unit measures.
///
/// Source: Assigned Numbers, 3.5 (27xx).
package enum Units {
    /// The texts of all units.
    package static var all: [String] { table.values.compactMap(\.text) }

    static func text(of uuid: UUID) -> String? {
        table[uuid]?.text
    }

    static func kind(of uuid: UUID) -> Quantity.Kind? {
        table[uuid]?.kind
    }

    private static let table: [UUID: (text: String?, kind: Quantity.Kind)] = [
        0x2700: (nil, .measurement), 0x2701: ("m", .distance), 0x2702: ("kg", .weight), 0x2703: ("s", .duration),
        0x2704: ("A", .current), 0x2705: ("K", .measurement), 0x2707: ("cd", .measurement),
        0x2710: ("m²", .measurement),
        0x2711: ("m³", .storedVolume), 0x2712: ("m/s", .speed), 0x2713: ("m/s²", .measurement),
        0x2715: ("kg/m³", .measurement),
        0x2720: ("rad", .measurement), 0x2722: ("Hz", .frequency), 0x2723: ("N", .measurement),
        0x2724: ("Pa", .pressure),
        0x2725: ("J", .energy), 0x2726: ("W", .power), 0x2728: ("V", .voltage), 0x272A: ("Ω", .measurement),
        0x272D: ("T", .measurement), 0x272F: ("°C", .temperature), 0x2730: ("lm", .measurement),
        0x2731: ("lx", .illuminance),
        0x2732: ("Bq", .measurement), 0x2741: ("N·m", .measurement), 0x2743: ("rad/s", .measurement),
        0x2760: ("min", .duration),
        0x2761: ("h", .duration), 0x2762: ("d", .duration), 0x2763: ("°", .measurement), 0x2767: ("L", .storedVolume),
        0x2780: ("bar", .pressure), 0x2781: ("mmHg", .pressure), 0x2785: ("kn", .speed),
        0x27A5: ("psi", .pressure), 0x27A6: ("km/h", .speed), 0x27A7: ("mph", .speed), 0x27A8: ("rpm", .measurement),
        0x27AA: ("kcal", .energy), 0x27AB: ("kWh", .energy), 0x27AC: ("°F", .temperature), 0x27AD: ("%", .measurement),
        0x27AE: ("‰", .measurement), 0x27AF: ("bpm", .measurement), 0x27B0: ("Ah", .measurement),
        0x27B1: ("mg/dL", .glucose),
        0x27B2: ("mmol/L", .glucose), 0x27B3: ("yr", .measurement), 0x27B5: ("1/m³", .measurement),
        0x27B6: ("W/m²", .irradiance),
        0x27B7: ("mL/(kg·min)", .measurement), 0x27B8: ("lb", .weight),
        0x27B9: ("MET", .measurement), 0x27BA: ("step/min", .measurement), 0x27BC: ("stroke/min", .measurement),
        0x27BE: ("lm/W", .measurement),
        0x27BF: ("lm·h", .measurement), 0x27C0: ("lx·h", .measurement), 0x27C1: ("g/s", .measurement),
        0x27C2: ("L/s", .volumeFlow),
        0x27C3: ("dB", .soundPressure), 0x27C4: ("ppm", .measurement), 0x27C5: ("ppb", .measurement),
        0x27C7: ("kVAh", .measurement),
        0x27C8: ("VA", .apparentPower), 0x27C9: ("gₙ", .measurement),
    ]
}

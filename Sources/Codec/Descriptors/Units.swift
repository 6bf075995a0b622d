import Bluetooth

/// The units of the assigned numbers (27xx), as Home Assistant writes them, and the class of what is measured in them.
enum Units {
    static func text(of uuid: UUID) -> String? {
        table[uuid]?.text
    }

    static func homeAssistant(of uuid: UUID) -> HomeAssistantClass? {
        table[uuid]?.homeAssistant
    }

    private static let table: [UUID: (text: String?, homeAssistant: HomeAssistantClass)] = [
        0x2700: (nil, .plain), 0x2701: ("m", .distance), 0x2702: ("kg", .weight), 0x2703: ("s", .duration),
        0x2704: ("A", .current), 0x2705: ("K", .plain), 0x2707: ("cd", .plain), 0x2710: ("m²", .plain),
        0x2711: ("m³", .storedVolume), 0x2712: ("m/s", .speed), 0x2713: ("m/s²", .plain), 0x2715: ("kg/m³", .plain),
        0x2720: ("rad", .plain), 0x2722: ("Hz", .frequency), 0x2723: ("N", .plain), 0x2724: ("Pa", .bodyPressure),
        0x2725: ("J", .energy), 0x2726: ("W", .power), 0x2728: ("V", .voltage), 0x272A: ("Ω", .plain),
        0x272D: ("T", .plain), 0x272F: ("°C", .temperature), 0x2730: ("lm", .plain), 0x2731: ("lx", .illuminance),
        0x2732: ("Bq", .plain), 0x2741: ("N·m", .plain), 0x2743: ("rad/s", .plain), 0x2760: ("min", .duration),
        0x2761: ("h", .duration), 0x2762: ("d", .duration), 0x2763: ("°", .plain), 0x2767: ("L", .storedVolume),
        0x2780: ("bar", .bodyPressure), 0x2781: ("mmHg", .bodyPressure), 0x2785: ("kn", .speed),
        0x27A5: ("psi", .bodyPressure), 0x27A6: ("km/h", .speed), 0x27A7: ("mph", .speed), 0x27A8: ("rpm", .plain),
        0x27AA: ("kcal", .energy), 0x27AB: ("kWh", .energy), 0x27AC: ("°F", .temperature), 0x27AD: ("%", .plain),
        0x27AE: ("‰", .plain), 0x27AF: ("bpm", .plain), 0x27B0: ("Ah", .plain), 0x27B1: ("mg/dL", .glucose),
        0x27B2: ("mmol/L", .glucose), 0x27B3: ("yr", .plain), 0x27B5: ("1/m³", .plain), 0x27B6: ("W/m²", .irradiance),
        0x27B7: ("mL/(kg·min)", .plain), 0x27B8: ("lb", .weight),
        0x27B9: ("MET", .plain), 0x27BA: ("step/min", .plain), 0x27BC: ("stroke/min", .plain), 0x27BE: ("lm/W", .plain),
        0x27BF: ("lm·h", .plain), 0x27C0: ("lx·h", .plain), 0x27C1: ("g/s", .plain), 0x27C2: ("L/s", .volumeFlow),
        0x27C3: ("dB", .soundPressure), 0x27C4: ("ppm", .plain), 0x27C5: ("ppb", .plain), 0x27C7: ("kVAh", .plain),
        0x27C8: ("VA", .apparentPower), 0x27C9: ("gₙ", .plain),
    ]
}

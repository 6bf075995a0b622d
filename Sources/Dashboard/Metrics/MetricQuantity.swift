import Glibc
import JSON

/// The metric of the values with a unit: the family, and the conversion to the base unit.
///
/// Source of the base units: https://prometheus.io/docs/practices/naming/#base-units.
struct MetricQuantity {
    let family: MetricFamily
    private let factor: Double
    private let divisor: Double
    private let offset: Double

    private init(_ family: MetricFamily, _ factor: Double, _ divisor: Double = 1, offset: Double = 0) {
        self.family = family
        self.factor = factor
        self.divisor = divisor
        self.offset = offset
    }

    /// Returns the value in the base unit.
    func value(of number: JSON.Number) -> String? {
        if factor == 1, divisor == 1, offset == 0 { return number.text }
        guard let value = number.double else { return nil }
        let result = (value + offset) * factor / divisor
        return result.isFinite ? "\(Self.rounded(result))" : nil
    }

    /// Rounds to 12 digits: 48.1 % is 0.481, and not 0.48100000000000004.
    private static func rounded(_ value: Double) -> Double {
        guard value != 0 else { return value }
        let scale = pow(10, 11 - floor(log10(abs(value))))
        return scale.isFinite && scale >= 1 ? (value * scale).rounded() / scale : value
    }

    /// Returns the quantity of a reading; nil if its unit is not in the table.
    static func of(_ reading: String, unit: String) -> MetricQuantity? {
        let spelled = String(unit.map { $0 == "\u{B5}" ? "\u{3BC}" : $0 })
        if spelled == "%" { return reading.hasSuffix("humidity") || reading.hasPrefix("humidity") ? humidity : nil }
        return byUnit[spelled]
    }

    private static let humidity = MetricQuantity(
        MetricFamily(.gauge, "bluefleet_humidity", unit: "ratio", "The relative humidity."), 1, 100)

    private static let byUnit: [String: MetricQuantity] = {
        let gauges: [(stem: String, unit: String, help: String, units: [(String, Double, Double, Double)])] = [
            (
                "bluefleet_temperature", "celsius", "The temperature.",
                [("°C", 1, 1, 0), ("°F", 5, 9, -32), ("K", 1, 1, -273.15)]
            ),
            (
                "bluefleet_pressure", "pascals", "The pressure.",
                [
                    ("Pa", 1, 1, 0), ("hPa", 100, 1, 0), ("mbar", 100, 1, 0), ("kPa", 1000, 1, 0), ("bar", 1e5, 1, 0),
                    ("mmHg", 133.322387415, 1, 0), ("psi", 6894.757293, 1, 0),
                ]
            ),
            ("bluefleet_voltage", "volts", "The voltage.", [("V", 1, 1, 0), ("mV", 1, 1000, 0), ("kV", 1000, 1, 0)]),
            ("bluefleet_current", "amperes", "The current.", [("A", 1, 1, 0), ("mA", 1, 1000, 0), ("μA", 1, 1e6, 0)]),
            ("bluefleet_power", "watts", "The power.", [("W", 1, 1, 0), ("mW", 1, 1000, 0), ("kW", 1000, 1, 0)]),
            (
                "bluefleet_energy", "joules", "The energy.",
                [("J", 1, 1, 0), ("kJ", 1000, 1, 0), ("Wh", 3600, 1, 0), ("kWh", 3.6e6, 1, 0), ("MWh", 3.6e9, 1, 0)]
            ),
            ("bluefleet_illuminance", "lux", "The illuminance.", [("lx", 1, 1, 0), ("klx", 1000, 1, 0)]),
            (
                "bluefleet_concentration", "ratio", "The share of a gas in the air.",
                [("ppm", 1, 1e6, 0), ("ppb", 1, 1e9, 0)]
            ),
            (
                "bluefleet_density", "kilograms_per_cubic_meter", "The mass of particles or of a gas in the air.",
                [("μg/m³", 1, 1e9, 0), ("mg/m³", 1, 1e6, 0), ("g/m³", 1, 1000, 0)]
            ),
            (
                "bluefleet_mass", "kilograms", "The mass.",
                [
                    ("kg", 1, 1, 0), ("g", 1, 1000, 0), ("mg", 1, 1e6, 0), ("lb", 0.45359237, 1, 0),
                    ("oz", 0.028349523125, 1, 0), ("st", 6.35029318, 1, 0),
                ]
            ),
            (
                "bluefleet_speed", "meters_per_second", "The speed.",
                [("m/s", 1, 1, 0), ("km/h", 1, 3.6, 0), ("mph", 0.44704, 1, 0), ("kn", 1852, 3600, 0)]
            ),
            (
                "bluefleet_length", "meters", "The length or the distance.",
                [
                    ("m", 1, 1, 0), ("mm", 1, 1000, 0), ("cm", 1, 100, 0), ("km", 1000, 1, 0), ("in", 0.0254, 1, 0),
                    ("ft", 0.3048, 1, 0),
                ]
            ),
            (
                "bluefleet_duration", "seconds", "The duration.",
                [("s", 1, 1, 0), ("ms", 1, 1000, 0), ("min", 60, 1, 0), ("h", 3600, 1, 0), ("d", 86_400, 1, 0)]
            ),
            (
                "bluefleet_frequency", "hertz", "The frequency.",
                [("Hz", 1, 1, 0), ("kHz", 1000, 1, 0), ("MHz", 1e6, 1, 0)]
            ),
            (
                "bluefleet_volume", "cubic_meters", "The volume.",
                [("m³", 1, 1, 0), ("L", 1, 1000, 0), ("mL", 1, 1e6, 0)]
            ),
        ]
        var all: [String: MetricQuantity] = [:]
        for gauge in gauges {
            let family = MetricFamily(.gauge, gauge.stem, unit: gauge.unit, gauge.help)
            for (unit, factor, divisor, offset) in gauge.units {
                all[unit] = MetricQuantity(family, factor, divisor, offset: offset)
            }
        }
        return all
    }()
}

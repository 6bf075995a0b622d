/// The conversion of numbers from one unit to another unit of the same dimension.
package struct ValueConversion: Hashable, Sendable {
    /// The unit of the numbers that are converted.
    package let source: String
    private let from: UnitScale
    private let to: UnitScale

    /// Creates the conversion; nil if a unit is not known, or if the units measure different things.
    package init?(from source: String, to target: String) {
        guard let from = UnitScale.all[UnitScale.spelled(source)], let to = UnitScale.all[UnitScale.spelled(target)],
            from.dimension == to.dimension
        else { return nil }
        self.source = source
        self.from = from
        self.to = to
    }

    /// The least number of decimal places of a converted number, before those that a larger unit adds: a number without
    /// decimal places may come from a sensor that measures hundredths.
    private static let leastPlaces = 2

    /// Returns a number in the other unit, with at least the accuracy of the given one; nil if it has too many digits.
    package func callAsFunction(_ number: Decimal) -> Decimal? {
        guard let base = number.adding(from.shift).flatMap(scaled)?.subtracting(to.shift) else { return nil }
        // Digits that the division adds are no information: 1013.25 hPa is 29.921 inHg.
        return base.rounded(toPlaces: max(-number.exponent, Self.leastPlaces) + addedPlaces)?.normalized
    }

    /// Returns the difference between two numbers in the other unit.
    package func difference(_ number: Decimal) -> Decimal? {
        scaled(number)?.rounded(toPlaces: 6)?.normalized
    }

    private func scaled(_ number: Decimal) -> Decimal? {
        guard let multiplied = number.multiplied(by: from.factor)?.multiplied(by: to.divisor),
            let divisor = from.divisor.multiplied(by: to.factor)
        else { return nil }
        return multiplied.divided(by: divisor)
    }

    /// The decimal places by which a number in the other unit is longer: 1 °C are 1.8 °F, 1 mV are 0.001 V.
    private var addedPlaces: Int {
        guard let step = scaled(1)?.magnitude else { return 0 }
        return (0..<12).first { Decimal(1, exponent: -$0) <= step } ?? 12
    }
}

/// A unit relative to the base unit of its dimension: base = (value + shift) × factor / divisor.
private struct UnitScale: Hashable, Sendable {
    let dimension: String
    var shift: Decimal = 0
    var factor: Decimal = 1
    var divisor: Decimal = 1

    /// Returns a unit with the Greek letter mu (U+03BC) in the place of the micro sign.
    static func spelled(_ unit: String) -> String {
        String(unit.map { $0 == "\u{B5}" ? "\u{3BC}" : $0 })
    }

    static let all: [String: UnitScale] = {
        var units: [String: UnitScale] = [
            "°C": UnitScale(dimension: "temperature"),
            "K": UnitScale(dimension: "temperature", shift: Decimal(-27315, exponent: -2)),
            "°F": UnitScale(dimension: "temperature", shift: -32, factor: 5, divisor: 9),
        ]
        for (dimension, row) in factors {
            for entry in row.split(separator: ",") {
                let parts = entry.split(separator: "=").map { String($0.filter { $0 != " " }) }
                guard let factor = Decimal(parts[1]) else { preconditionFailure("\(entry) is not UNIT=FACTOR") }
                units[parts[0]] = UnitScale(dimension: dimension, factor: factor)
            }
        }
        return units
    }()

    /// The units of each dimension, with the number of base units of one unit (SI brochure; NIST SP 811, appendix B).
    private static let factors = [
        "pressure":
            "Pa=1, hPa=100, mbar=100, cbar=1000, kPa=1000, bar=100000, atm=101325, psi=6894.757293168, mmHg=133.322387415, "
            + "inHg=3386.388640341, inH₂O=249.08891",
        "length":
            "m=1, mm=0.001, cm=0.01, km=1000, in=0.0254, ft=0.3048, yd=0.9144, mi=1609.344, nmi=1852, μm=0.000001",
        "mass": "kg=1, g=0.001, mg=0.000001, lb=0.45359237, oz=0.028349523125, st=6.35029318",
        "volume": "m³=1, L=0.001, mL=0.000001, ft³=0.028316846592, gal=0.003785411784, fl.oz.=0.0000295735295625",
        "speed":
            "m/s=1, km/h=0.2777777777777777778, mph=0.44704, kn=0.5144444444444444444, ft/s=0.3048, m/min=0.0166666666666666667",
        "voltage": "V=1, mV=0.001, kV=1000, μV=0.000001",
        "current": "A=1, mA=0.001, μA=0.000001",
        "power": "W=1, mW=0.001, kW=1000, MW=1000000",
        "energy":
            "Wh=1, mWh=0.001, kWh=1000, MWh=1000000, J=0.0002777777777777777778, kJ=0.2777777777777777778, MJ=277.7777777777777778",
        "charge": "Ah=1, mAh=0.001",
        "frequency": "Hz=1, kHz=1000, MHz=1000000, GHz=1000000000",
        "duration": "s=1, ms=0.001, min=60, h=3600, d=86400",
        "conductivity": "S/cm=1, mS/cm=0.001, μS/cm=0.000001",
        "concentration": "μg/m³=1, mg/m³=1000",
        "share": "ppm=1, ppb=0.001, %=10000",
        "radon": "Bq/m³=1, pCi/L=37",
        "glucose": "mg/dL=1, mmol/L=18.0156",
        "data": "B=1, kB=1000, MB=1000000, GB=1000000000, KiB=1024, MiB=1048576, GiB=1073741824",
        "flow": "m³/h=1, L/h=0.001, L/min=0.06, L/s=3.6, m³/min=60, m³/s=3600, mL/s=0.0036",
        "rain": "mm/h=1, in/h=25.4",
    ]
}

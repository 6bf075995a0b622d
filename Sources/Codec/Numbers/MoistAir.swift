import Glibc

/// Air with a temperature and a relative humidity, over water.
///
/// The saturation vapour pressure is that of the Magnus formula with the coefficients of the WMO (Guide to Instruments and
/// Methods of Observation, WMO-No. 8, Annex 4.B): 6.112 hPa · exp(17.62 · t / (243.12 + t)), for −45 °C to 60 °C.
struct MoistAir {
    /// The temperature in °C.
    private let temperature: Double
    /// The relative humidity in percent.
    private let humidity: Double

    /// Returns nil for a temperature below −100 °C or above 100 °C, and for a humidity outside its range.
    ///
    /// - Parameters:
    ///   - temperature: The temperature in °C.
    ///   - humidity: The relative humidity in percent, 0 to 100.
    init?(_ temperature: Decimal, humidity: Decimal) {
        self.temperature = temperature.doubleValue
        self.humidity = humidity.doubleValue
        guard -100...100 ~= self.temperature, 0...100 ~= self.humidity else { return nil }
    }

    /// The temperature in °C at which the water in the air condenses; nil for a humidity of 0.
    var dewPoint: Double? {
        guard humidity > 0 else { return nil }
        let exponent = log(humidity / 100) + 17.62 * temperature / (243.12 + temperature)
        return 243.12 * exponent / (17.62 - exponent)
    }

    /// The mass of the water in the air in g/m³, by the gas constant of water vapour, 461.5 J/(kg·K).
    var absoluteHumidity: Double {
        saturationPressure * humidity / 100 * 100 / (461.5 * (temperature + 273.15)) * 1000
    }

    /// The difference between the saturation vapour pressure and the pressure of the water in the air, in kPa.
    var vapourPressureDeficit: Double {
        saturationPressure * (1 - humidity / 100) / 10
    }

    /// The saturation vapour pressure in hPa.
    private var saturationPressure: Double {
        6.112 * exp(17.62 * temperature / (243.12 + temperature))
    }
}

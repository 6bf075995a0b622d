import Codec
import Testing

@Suite struct ValueConversionTests {
    /// Numbers of NIST SP 811 and the SI brochure.
    @Test(
        arguments: [
            ("°C", "°F", "21.53", "70.75"), ("°F", "°C", "70", "21.111"), ("°F", "°C", "70.7", "21.5"),
            ("°C", "K", "-40", "233.15"), ("°C", "°F", "21", "69.8"), ("K", "°C", "293.15", "20"),
            ("hPa", "inHg", "1013.25", "29.9213"),
            ("Pa", "hPa", "101325", "1013.25"), ("hPa", "mmHg", "1013", "759.812"), ("mV", "V", "2985", "2.985"),
            ("V", "mV", "2.985", "2985"), ("kg", "lb", "70.5", "155.43"), ("m", "ft", "1", "3.28"),
            ("m/s", "km/h", "10", "36"), ("kWh", "Wh", "1.5", "1500"), ("MJ", "kWh", "3.6", "1"),
            ("°C", "°C", "-3.5", "-3.5"), ("μg/m³", "mg/m³", "12", "0.012"), ("ppm", "ppb", "0.4", "400"),
            ("L", "gal", "3.785411784", "1"),
        ])
    func `a number is converted with its accuracy`(from: String, to: String, number: String, result: String) throws {
        let conversion = try #require(ValueConversion(from: from, to: to))
        #expect(conversion(try #require(Decimal(number)))?.description == result)
    }

    @Test(arguments: [("°C", "%"), ("hPa", "V"), ("lx", "lm"), ("", "°C"), ("%", "foo")])
    func `units of different dimensions are not converted`(from: String, to: String) {
        #expect(ValueConversion(from: from, to: to) == nil)
    }

    @Test func `the micro sign and the Greek letter are the same unit`() throws {
        let conversion = try #require(ValueConversion(from: "\u{B5}A", to: "mA"))
        #expect(conversion(1500) == 1.5)
    }

    @Test func `a difference has no shift`() throws {
        #expect(try #require(ValueConversion(from: "°C", to: "°F")).difference(0.01) == 0.018)
    }
}

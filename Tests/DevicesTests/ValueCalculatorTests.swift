import Codec
import Configuration
import Contract
import Testing

@testable import Devices

/// The keys `adjust` and `derive`.
@Suite struct ValueCalculatorTests {
    typealias NamedReading = ValueCalculator.NamedReading

    private func calculator(_ keys: String) throws -> ValueCalculator {
        let configuration = try Configuration(
            yaml: """
                devices:
                  cellar:
                    address: C0:00:00:00:00:01
                    connect: never
                    \(keys)
                """)
        return ValueCalculator(configuration.devices[0].adjustments, configuration.devices[0].derivedValues)
    }

    private func number(_ name: String, _ number: Value, unit: String? = nil) -> NamedReading {
        NamedReading(name, .value(number, unit: unit))
    }

    /// Returns the value of the first reading.
    private func value(_ readings: [NamedReading]) -> Value? { readings.first?.reading.value }

    // MARK: Corrections

    @Test(
        arguments: [
            ("{temperature: value - 0.4}", 21.53, 21.13),
            ("{temperature: value * 1.5 + humidity}", 20, 80),
            ("{temperature: \"clamp(value * 1.02, 0, 21)\"}", 21.53, 21),
            ("{temperature: value / 3}", 20, 6.67),
            ("{temperature: value / 8}", 20.1234, 2.5154),
            ("{temperature: [[310, 0], [480, 50], [720, 100]]}", 395, 25),
            ("{temperature: [[310, 0], [480, 50], [720, 100]]}", 480, 50),
            ("{temperature: [[310, 0], [480, 50], [720, 100]]}", 300, -2.94),
            ("{temperature: [[310, 0], [480, 50], [720, 100]]}", 960, 150),
            ("{temperature: value / 0}", 20, .null),
            ("{temperature: value + pressure}", 20, .null),
            ("{temperature: value - 0.4}", .null, .null),
        ] as [(String, Value, Value)])
    func `a value is corrected by a formula or by points`(adjust: String, measured: Value, right: Value) throws {
        let packet = [number("temperature", measured, unit: "°C"), number("humidity", 50, unit: "%")]
        let corrected = try calculator("adjust: \(adjust)").corrected(packet)
        #expect(corrected[0].reading == .value(right, unit: "°C"))
        #expect(corrected[0].marks == (measured == .null ? nil : ReadingMarks(adjusted: .value)))
        #expect(corrected[1] == packet[1])
    }

    @Test func `one field is corrected by other fields of its packet, as they were decoded`() throws {
        let calculator = try calculator("adjust: {tank.level: value + temperature, tank.temperature: value * 2}")
        let corrected = calculator.corrected([
            NamedReading(
                "tank",
                .fields([
                    .init(name: "level", value: 10), .init(name: "temperature", value: 3), .init(name: "id", value: 7),
                ]))
        ])
        #expect(corrected[0].reading[field: "level"] == 13)
        #expect(corrected[0].reading[field: "temperature"] == 6)
        #expect(corrected[0].reading[field: "id"] == 7)
        #expect(corrected[0].marks == ReadingMarks(adjusted: .fields(["level", "temperature"])))
    }

    // MARK: Derived values

    @Test(
        arguments: [
            ("dew_point(temperature, humidity)", 25, 50, 13.85), ("dew_point(temperature, humidity)", 25, 0, .null),
            ("dew_point(temperature, humidity)", 25, 101, .null),
            ("dew_point(temperature, humidity)", 25, .null, .null),
            ("absolute_humidity(temperature, humidity)", 25, 50, 11.48),
            ("vapour_pressure_deficit(temperature, humidity)", 25, 50, 1.58),
            ("temperature * humidity", 0.1, 0.3, 0.03), ("temperature > humidity", 3, 2, true),
        ] as [(String, Value, Value, Value)])
    func `a value is derived from one packet`(formula: String, temperature: Value, humidity: Value, result: Value)
        throws
    {
        var calculator = try calculator("derive: {result: {value: \"\(formula)\"}}")
        let packet = [number("temperature", temperature), number("humidity", humidity)]
        let derived = calculator.derive(from: packet, at: RhythmTests.at(0))
        #expect(derived == [NamedReading("result", .value(result, unit: nil), ReadingMarks(isDerived: true))])
    }

    @Test func `a value is derived from several packets, if none is older than max_age`() throws {
        var calculator = try calculator("derive: {power: {value: voltage * basic.current, unit: W, max_age: 1m}}")
        func derive(_ packet: NamedReading, at second: Double) -> Value? {
            value(calculator.derive(from: [packet], at: RhythmTests.at(second)))
        }
        #expect(derive(number("voltage", 12), at: 0) == nil)
        let current = NamedReading("basic", .fields([.init(name: "current", value: 2)]))
        #expect(derive(current, at: 60) == 24)
        #expect(derive(current, at: 61) == nil)
        #expect(derive(number("voltage", 13), at: 62) == 26)
        #expect(derive(number("humidity", 50), at: 63) == nil)
    }

    @Test func `a derived value is used by derived values below it`() throws {
        var calculator = try calculator(
            "derive: {twice: {value: temperature * 2}, thrice: {value: twice + temperature}}")
        let derived = calculator.derive(from: [number("temperature", 5)], at: RhythmTests.at(0))
        #expect(derived.map(\.name) == ["twice", "thrice"])
        #expect(derived.map(\.reading.value) == [10, 15])
    }
}

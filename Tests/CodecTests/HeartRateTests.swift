import Codec
import Testing

@Suite struct HeartRateTests {
    static let readings: [(hex: String, payload: Value)] = [
        ("0055", ["heart_rate": 85]),
        ("04ff", ["sensor_contact": false, "heart_rate": 255]),
        ("0e4b8000", ["sensor_contact": true, "heart_rate": 75, "energy_expended": 128]),
        ("112c014003", ["heart_rate": 300, "rr_intervals": [0.8125]]),
        (
            "1e5532002100",
            ["sensor_contact": true, "heart_rate": 85, "energy_expended": 50, "rr_intervals": [0.0322265625]]
        ),
        ("104800040008", ["heart_rate": 72, "rr_intervals": [1, 2]]),
    ]

    private var format: Format {
        get throws { try #require(Characteristics.definition(named: "heart_rate_measurement")).format }
    }

    @Test(arguments: readings)
    func `a heart rate measurement decodes the fields that its flags announce`(hex: String, payload: Value) throws {
        let reading = try format.decode(try #require([UInt8](hexadecimal: hex)))
        #expect(Value.record(reading.payload) == payload)
    }

    @Test(arguments: readings)
    func `encoding derives the heart rate flags from the names`(hex: String, payload: Value) throws {
        #expect(try format.encode(payload).hexadecimal == hex)
    }

    @Test func `sensor contact without support is not shown`() throws {
        #expect(try format.decode([0x02, 60]).value == ["heart_rate": 60])
    }

    @Test(arguments: [[], [0], [0x01, 60], [0x08, 60, 1], [0x10, 60, 1], [0, 60, 1]] as [[UInt8]])
    func `a heart rate measurement rejects bytes that do not fit its flags`(bytes: [UInt8]) {
        #expect(throws: DecodingError.self) { try format.decode(bytes) }
    }

    @Test func `the units are known before the first reading`() throws {
        let units = try format.quantities.map { "\($0.name) \($0.unit ?? "-")" }
        #expect(units == ["sensor_contact -", "heart_rate bpm", "energy_expended kJ", "rr_intervals s"])
    }
}

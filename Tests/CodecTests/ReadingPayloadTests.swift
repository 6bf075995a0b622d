import Codec
import JSON
import Testing

/// The payload of a reading, as a record and as JSON text.
@Suite struct ReadingPayloadTests {
    private static let member = Reading.Member.init(name:value:unit:)

    /// Readings of each form: repeated names, and a name that equals the `NAME_number` of another field, included.
    static let readings: [Reading] = [
        .value(21.53, unit: "°C"), .value(.named("chest", number: 1), unit: nil), .value(.null, unit: nil),
        .fields([]),
        .fields([member("heart_rate", 72, "bpm"), member("sensor_contact", true, nil)]),
        .fields([member("a", 1, nil), member("b", 2, nil), member("a", 3, nil)]),
        .fields([member("mode", .named("heat", number: 1), nil), member("level", 2, nil)]),
        .fields([member("mode_number", 7, nil), member("mode", .named("heat", number: 1), nil)]),
        .fields([member("mode", .named("heat", number: 1), nil), member("mode_number", 7, nil)]),
        .fields((0..<20).map { member("field_\($0)", .number(Decimal($0)), nil) }),
    ]

    @Test(arguments: readings)
    func `Reading appends as JSON the members of its payload`(reading: Reading) {
        var text: [UInt8] = []
        reading.appendMembers(to: &text, without: "time")
        let expected = reading.payload.map { "\"\($0.name)\":\($0.value)," }.joined()
        #expect(String(decoding: text, as: UTF8.self) == expected)
    }

    @Test func `Reading leaves the reserved member out`() {
        var text: [UInt8] = []
        Reading.fields([Self.member("time", 5, nil), Self.member("a", 1, nil)]).appendMembers(
            to: &text, without: "time")
        #expect(String(decoding: text, as: UTF8.self) == "\"a\":1,")
    }

    @Test func `Reading finds the last field with a name`() {
        let reading = Self.readings[5]
        #expect(reading[field: "a"] == 3)
        #expect(reading[field: "c"] == nil)
        #expect(Reading.value(1, unit: nil)[field: "value"] == nil)
    }
}

import Codec
import CodecFuzzing
import JSON
import Testing

/// The output of `decode --json` and the payload of a reading can be encoded without changes.
@Suite struct PayloadEncodingTests {
    private static func format(_ name: String) throws -> Format {
        try #require(Characteristics.definition(named: name)).format
    }

    @Test(
        arguments: [
            ("temperature", ["value": 21.53, "unit": "°C", "time": "2026-11-21T05:09:00.123Z"], "6908"),
            ("day_of_week", ["value": "monday", "number": 1], "01"),
            ("day_of_week", ["number": 2], "02"),
            ("day_of_week", ["value": .null], "00"),
            (
                "local_time_information",
                [
                    "time_zone": 60, "dst_offset": "daylight_time", "dst_offset_number": 4,
                    "time": "2026-11-21T05:09:00Z",
                ],
                "0404"
            ),
            ("local_time_information", ["time_zone": 60, "dst_offset_number": 4], "0404"),
            (
                "contact_status_8", .record(Record((0..<8).map { ("contact_\($0)_status_number", $0 == 3 ? 1 : 0) })),
                "08"
            ),
        ] as [(String, Value, String)])
    func `encoding accepts the unit, the time and the numbers of names`(
        name: String, payload: Value, hex: String
    ) throws {
        #expect(try Self.format(name).encode(payload).hexadecimal == hex)
    }

    @Test(
        arguments: [
            (
                "temperature", ["value": 70, "unit": "°F"],
                .invalid(field: "unit", expected: "°C", found: "\"°F\"")
            ),
            ("temperature", ["value": 70, "level": 3], .unknown(field: "level", known: ["value"])),
            ("temperature", ["unit": "°C"], .missing(field: "value")),
            ("day_of_week", ["value": "monday", "number": 2], .invalid(field: "number", expected: "1", found: "2")),
            (
                "local_time_information", ["time_zone": 60, "dst_offset": "daylight_time", "dst_offset_number": 2],
                .invalid(field: "dst_offset_number", expected: "4", found: "2")
            ),
        ] as [(String, Value, EncodingError)])
    func `encoding rejects members that contradict the value`(name: String, payload: Value, error: EncodingError) throws
    {
        let format = try Self.format(name)
        #expect(throws: error) { try format.encode(payload) }
    }

    @Test(arguments: Vectors.gatt.vectors)
    func `every payload can be encoded`(vector: Vectors.Vector) throws {
        guard let definition = vector.uuid.flatMap(Characteristics.definition(ofUUID:)) else { return }
        let reading = try definition.format.decode(try #require([UInt8](hexadecimal: vector.hex)))
        let bytes = try definition.format.encode(Value.record(reading.payload).asTyped)
        #expect(try definition.format.decode(bytes) == reading)
    }

    @Test func `encoding finds a hidden number from a linear formula`() throws {
        let format = Format([
            Field.number("raw", .uint16, 0.5).hidden, .calculated("celsius", "(raw - 32) / 1.8"),
        ])
        #expect(try format.encode(["celsius": 100]) == [0xA8, 0x01])
        #expect(try format.encode(["celsius": 36.6]) == [0xC4, 0x00])
        #expect(throws: EncodingError.self) { try format.encode(["celsius": 100_000]) }
    }

    @Test func `encoding does not invert a curve`() throws {
        let format = Format([Field.number("raw", .uint8).hidden, .calculated("square", "raw * raw")])
        #expect(
            throws: EncodingError.invalid(
                field: "square", expected: "no value, or null, which follows from other fields", found: "100")
        ) {
            try format.encode(["square": 100])
        }
    }
}

extension Value {
    /// The value after parsing its JSON: names and bytes are texts.
    fileprivate var asTyped: Value {
        switch self {
        case .named(let name, _): .string(name)
        case .bytes(let bytes): .string(bytes.hexadecimal)
        case .list(let elements): .list(elements.map(\.asTyped))
        case .record(let record): .record(Record(record.map { ($0.name, $0.value.asTyped) }))
        default: self
        }
    }
}

import Bluetooth
import Codec
import JSON
import Testing

@Suite struct CharacteristicVectorTests {
    /// The vectors that name a part of the meaning, and not the value itself.
    static let namesOfValues = ["date", "datetime", "offset_minutes", "value"]

    static let scalars = Vectors.gatt.vectors.filter { vector in
        vector.uuid.flatMap(Characteristics.definition(ofUUID:))?.format.hasOneValue ?? false
    }

    @Test(arguments: scalars)
    func `a scalar decodes to the expected value`(vector: Vectors.Vector) throws {
        let definition = try #require(vector.uuid.flatMap(Characteristics.definition(ofUUID:)))
        let expected = Self.namesOfValues.compactMap { vector.fields[$0] }.first ?? vector.fields.first?.value
        let reading = try definition.format.decode(try #require([UInt8](hexadecimal: vector.hex)))
        #expect(try #require(expected).matches(reading.value), "\(reading.value)")
    }

    @Test func `most rows of the table have a vector`() {
        #expect(Set(Self.scalars.map(\.uuid)).count > 100)
    }

    static let records = Vectors.gatt.vectors.filter { vector in
        !(vector.uuid.flatMap(Characteristics.definition(ofUUID:))?.format.hasOneValue ?? true)
    }

    /// The names in the vectors that differ from the names in the supplement.
    static let otherNames = [
        "last_wheel_event_time_raw": nil, "last_crank_event_time_raw": nil, "rr_raw": nil, "flags": nil,
        "sensor_contact_supported": nil, "bits#2": "additional_status", "run_time_h": "run_time",
        "heart_rate_measurement_value_8_bit_resolution": "heart_rate", "dst_offset_raw": "dst_offset_number",
        "time_zone_raw": nil, "crc": "e2e_crc", "energy_expended_k_j": "energy_expended",
        "basal_metabolism_k_j": "basal_metabolism", "last_crank_event_time_s": "last_crank_event_time",
        "features": "value",
    ]

    @Test(arguments: records)
    func `a record decodes to the expected fields`(vector: Vectors.Vector) throws {
        let definition = try #require(vector.uuid.flatMap(Characteristics.definition(ofUUID:)))
        let payload = try definition.format.decode(try #require([UInt8](hexadecimal: vector.hex))).payload
        let bits = definition.uuid == UUID(0x2BED as UInt16) ? "power_state" : "value"
        for (field, expected) in vector.fields {
            let plain = field == "bits" ? bits : field.snakeCase(without: vector.name)
            guard let name = Self.otherNames[plain, default: plain] else { continue }
            // The supplement has the flag as a number; the reading has the name of the unit.
            let found = try #require(payload[name], "\(name) is missing in \(Value.record(payload))")
            #expect(expected.matches(found), "\(name) is \(found)")
        }
    }

    @Test func `every characteristic of the supplement has a definition`() {
        let missing = Set(Vectors.gatt.vectors.compactMap(\.uuid)).filter {
            Characteristics.definition(ofUUID: $0) == nil
        }
        #expect(missing.isEmpty)
        #expect(Characteristics.all.count >= 275 + 3)
    }

    @Test(arguments: Vectors.gatt.negative.filter { Characteristics.definition(ofUUID: $0.uuid) != nil })
    func `a format rejects bytes that do not fit`(negative: Vectors.Negative) throws {
        let definition = try #require(Characteristics.definition(ofUUID: negative.uuid))
        let bytes = try #require([UInt8](hexadecimal: negative.hex))
        #expect(throws: DecodingError.self) { try definition.format.decode(bytes) }
    }

    // The supplement lists 0 among the special values of Time Exponential 8, but it is a known time of 0 s.
    @Test(arguments: Vectors.gatt.sentinels.filter { $0.meaning != "0 seconds" })
    func `a raw number for "not known" decodes as null`(sentinel: Vectors.Sentinel) throws {
        let definition = try #require(Characteristics.definition(ofUUID: sentinel.uuid))
        let reading = try definition.format.decode(try #require([UInt8](hexadecimal: sentinel.hex)))
        #expect(reading.value == .null)
    }

    @Test(arguments: Vectors.gatt.primitives)
    func `a primitive type decodes to the expected value`(primitive: Vectors.Primitive) throws {
        let type = try #require(FieldType(primitive.type))
        let bytes = try #require([UInt8](hexadecimal: primitive.hex))
        let value = try Format([FieldDescription("value", type).field()]).decode(bytes).value
        if case .text = primitive.value {
            #expect(value == .null)
        } else {
            #expect(primitive.value.matches(value), "\(value)")
        }
    }
}

extension Characteristics {
    /// Returns the definition of the characteristic with a UUID as text; nil if there is none.
    static func definition(ofUUID text: String) -> CharacteristicDefinition? {
        UUID(text).flatMap(definition(of:))
    }
}

extension String {
    /// The name of a field in a reading, from its name in the supplement.
    fileprivate func snakeCase(without characteristic: String) -> String {
        var words: [String] = [""]
        var previous: Character = " "
        for character in self.replacing(characteristic + " - ", with: "") {
            if character.isUppercase, previous.isLowercase { words.append("") }
            previous = character
            if character.isLetter || character.isNumber || character == "#" {
                words[words.count - 1] += character.lowercased()
            } else {
                words.append("")
            }
        }
        return words.filter { !$0.isEmpty }.joined(separator: "_")
    }
}

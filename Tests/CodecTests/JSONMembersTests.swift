import JSON
import Testing

@testable import Codec

/// Formats of texts in JSON.
@Suite struct JSONMembersTests {
    private static let format: Format = {
        var state = JSONMembers.Member("state", at: ["state"])
        state.meaning.values = NamedValues([0: "off", 1: "on"])
        var text = JSONMembers.Member("text", at: ["info", "text"])
        text.form = .utf8
        var door = JSONMembers.Member("door", at: ["door"])
        door.form = .boolean
        var temperature = JSONMembers.Member("temperature", at: ["temperature"])
        temperature.unit = "°C"
        let second = JSONMembers.Member("second", at: ["list", "1"])
        return Format([.json(JSONMembers([temperature, text, door, state, second]))])
    }()

    private static func value(of text: String) throws -> Value {
        try format.decode(Array(text.utf8)).value
    }

    @Test func `members are read by their paths, and keep the digits of their numbers`() throws {
        let text = """
            {"temperature": 21.530000000000000000001, "info": {"text": "Küche"}, "door": true, "state": 1, "list": [1, 2.50]}
            """
        let expected: Value = [
            "temperature": .number(try #require(Decimal("21.530000000000000000001"))), "text": "Küche", "door": true,
            "state": .named("on", number: 1), "second": 2.5,
        ]
        #expect(try Self.value(of: text) == expected)
    }

    @Test func `a reading has the units of the members`() throws {
        let reading = try Self.format.decode(Array(#"{"temperature":-3}"#.utf8))
        #expect(reading == .fields([.init(name: "temperature", value: -3, unit: "°C")]))
    }

    @Test(
        arguments: [
            (#"{"door":false}"#, ["door": false]), (#"{"temperature":null,"info":null}"#, ["temperature": .null]),
            (#"{"door":true,"list":[7]}"#, ["door": true]), ("{\"door\":true}\0rest", ["door": true]),
            (#" { "door" : true , "other" : {"a":[{}]} } "#, ["door": true]),
        ] as [(String, Value)])
    func `a missing member is left out, and null is not known`(text: String, expected: Value) throws {
        #expect(try Self.value(of: text) == expected)
    }

    @Test(arguments: [
        (#"{"temperature":"21"}"#, "temperature: expected a number, found the text '21'"),
        (#"{"door":1}"#, "door: expected true or false, found the number '1'"),
        (#"{"info":7}"#, "text: expected an object with text, found the number '7'"),
        (#"{"info":{"text":[]}}"#, "text: expected a text, found a list"),
        (#"{"a":1}"#, "json: the text has none of the members temperature, info.text, door, state, list.1"),
        ("[]", "json: the text has none of the members temperature, info.text, door, state, list.1"),
        (#"{"door":true"#, "json: not valid JSON"), ("", "json: not valid JSON"),
        (#"{"door":true,"door":false}"#, "json: not valid JSON: an object has two members with the same name"),
        (#"{"temperature":1e9999}"#, "temperature: the number '1e9999' has too many digits"),
        (String(repeating: "[", count: 60) + String(repeating: "]", count: 60), "json: unsupported JSON"),
        (#"{"door":true,"x":""# + String(repeating: "a", count: 4096) + #""}"#, "json: unsupported JSON"),
    ])
    func `bytes that do not fit are refused`(text: String, reason: String) throws {
        let error = #expect(throws: DecodingError.self) { try Self.value(of: text) }
        #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
    }

    @Test func `members are written at their paths`() throws {
        let value: Value = ["temperature": 21.5, "text": "a", "door": false, "state": "on"]
        let bytes = try Self.format.encode(value)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"temperature":21.5,"info":{"text":"a"},"door":false,"state":1}"#)
        let unknown = try Self.format.encode(["temperature": .null])
        #expect(String(decoding: unknown, as: UTF8.self) == #"{"temperature":null}"#)
    }

    @Test(
        arguments: [
            ([:], "temperature is missing"), (["x": 1], "unknown field x"),
            (["door": 2], "door: expected true or false, found 2"),
            (["second": 2], "second: expected a member that can be written, found an element of a list"),
            (["text": .string(String(repeating: "a", count: 600))], "json: too long"),
        ] as [(Value, String)])
    func `values that do not fit are refused`(value: Value, reason: String) throws {
        let error = #expect(throws: EncodingError.self) { try Self.format.encode(value) }
        #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
    }

    @Test func `each member is a quantity`() {
        let quantities = Self.format.quantities
        #expect(quantities.map(\.form) == [.number, .text, .boolean, .named(["off", "on"]), .number])
        #expect(quantities[2].kind == .condition(.door))
        #expect(quantities[0].unit == "°C")
    }
}

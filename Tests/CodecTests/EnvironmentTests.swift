import Codec
import JSON
import Testing

@Suite struct EnvironmentTests {
    /// A list whose count comes from another answer, and a value that is calculated from it.
    private static let cells: Format = {
        var voltages = Field.number("voltages", .uint16, 0.001)
        voltages.count = .field("status.cells")
        return Format([voltages, .calculated("average", "total / status.cells")])
    }()

    @Test func `a format decodes with the values of an environment`() throws {
        let reading = try Self.cells.decode([0x0D, 0x0C, 0xE0, 0x0B], in: ["status.cells": 2, "total": 7])
        #expect(reading.value == ["voltages": [3.085, 3.04], "average": 3.5])
    }

    @Test func `a list whose count is missing is not decoded`() {
        #expect(throws: DecodingError.needs(field: "voltages", "status.cells")) {
            try Self.cells.decode([0x0D, 0x0C], in: ["total": 7])
        }
        #expect(DecodingError.needs(field: "voltages", "status.cells").description == "voltages: needs status.cells")
    }

    @Test func `a calculated value is null without a value of its formula`() throws {
        let reading = try Self.cells.decode([0x0D, 0x0C], in: ["status.cells": 1])
        #expect(reading.value == ["voltages": [3.085], "average": .null])
    }

    @Test func `Format names what it needs from outside`() {
        #expect(Self.cells.outerNames.map(\.name) == ["status.cells", "total"])
        let own = Format([.number("a", .uint8), .calculated("b", "a + 1"), .number("c", .uint8).when("b")])
        #expect(own.outerNames.isEmpty)
        let inner: [Field] = [.number("b", .uint8).when("a"), .calculated("c", "d")]
        let nested = Format([.number("a", .uint8), .record("r", inner)])
        #expect(nested.outerNames.map(\.name) == ["d"])
    }

    /// A question with the members `register` and `count`, whose other fields have formulas.
    private static func question() throws -> Format {
        var unit = Field.number("unit", .uint8).hidden
        unit.assignment = try Expression("station")
        var last = Field.number("last", .uint16).hidden
        last.assignment = try Expression("register + count - 1")
        return Format([
            unit, .number("register", .uint16), .number("count", .uint8), last, .constant("77"),
            .constant("88").when("pin"),
        ])
    }

    @Test func `a question is encoded with the values of an environment`() throws {
        let format = try Self.question()
        let question = try format.encode(["register": 256, "count": 7], in: ["station": 255, "pin": .null])
        #expect(question.bytes == [0xFF, 0, 1, 7, 6, 1, 0x77])
        #expect(Value.record(question.members) == ["register": 256, "count": 7, "unit": 255, "last": 262])
        let members: Value = ["register": 0, "count": 1]
        #expect(try format.encode(members, in: ["station": 1, "pin": "0000"]).bytes.last == 0x88)
        // A member has precedence over the formula of its field.
        #expect(try format.encode(["unit": 2, "register": 0, "count": 1], in: ["pin": .null]).bytes.first == 2)
    }

    @Test func `a question names the value that it needs`() throws {
        let format = try Self.question()
        #expect(throws: EncodingError.needs(field: "unit", "station")) {
            try format.encode(["register": 0, "count": 1], in: ["pin": .null])
        }
        #expect(throws: EncodingError.needs(field: "constant", "pin")) {
            try format.encode(["register": 0, "count": 1], in: ["station": 1])
        }
        #expect(throws: EncodingError.missing(field: "register")) {
            try format.encode(["count": 1], in: ["station": 1, "pin": .null])
        }
    }

    @Test func `the members of a question are numbers in place of names`() throws {
        let format = Format([.names("arm", NamedValues([1: "on", 2: "off"]))])
        #expect(Value.record(try format.encode(["arm": "off"], in: [:]).members) == ["arm": 2])
        #expect(Value.record(try format.encode("on", in: [:]).members) == ["arm": 1])
    }

    @Test func `the members of bytes contain fields that no reading shows`() throws {
        let format = Format([.constant("3A"), .number("recorded", .uint8).hidden, .number("level", .uint8).when("now")])
        #expect(Value.record(try format.members(of: [0x3A, 7, 9], in: ["now": 1])) == ["recorded": 7, "level": 9])
    }

    @Test func `a text and a time are written from the environment`() throws {
        var pin = Field.text("pin").hidden
        pin.assignment = try Expression("pin")
        #expect(try Format([pin]).encode([:], in: ["pin": "1234"]).bytes == Array("1234".utf8))
        var time = Field.value("now", .timestamp).hidden
        time.assignment = try Expression("now + 1")
        #expect(try Format([time]).encode([:], in: ["now": 1_795_751_999]).bytes == [0x40, 0x00, 0x09, 0x6B])
    }

    @Test(
        arguments: [
            ("a + 1", 3), ("pin", "0000"), ("list", [1, 2]), ("entry.field / 2", 2.5), ("if(a > 1, a, missing)", 2),
        ] as [(String, Value)])
    func `Expression returns its value in an environment`(formula: String, expected: Value) throws {
        let environment: Environment = ["a": 2, "pin": "0000", "list": [1, 2], "entry.field": 5]
        #expect(try Expression(formula).value(in: environment) == expected)
    }

    @Test(
        arguments: [
            ("b + c + a", .needs(["b", "c"]), "needs b, c"), ("a / 0", .noResult("a / 0"), "'a / 0' has no result"),
            ("a + none", .noResult("a + none"), "'a + none' has no result"),
        ] as [(String, FormulaFailure, String)])
    func `Expression names the values that it needs`(formula: String, failure: FormulaFailure, text: String) {
        let error = #expect(throws: FormulaFailure.self) {
            try Expression(formula).value(in: ["a": 1, "none": .null])
        }
        #expect(error == failure)
        #expect(error?.description == text)
    }

    @Test func `a condition holds for a text and not for null`() throws {
        let pin = try Expression("pin")
        #expect(try pin.isTrue(in: ["pin": "0000"]))
        #expect(try !pin.isTrue(in: ["pin": .null]))
        #expect(try !pin.isTrue(in: ["pin": 0]))
        #expect(throws: FormulaFailure.needs(["pin"])) { try pin.isTrue(in: [:]) }
    }

    @Test func `Environment adds the members of an answer`() throws {
        var environment: Environment = [:]
        let format = Format([.number("cells", .uint8)])
        environment.add(format.members(of: try format.decode([4])), of: "status")
        environment.add(["a": 1])
        #expect(environment == ["status.cells": 4, "a": 1])
        #expect(environment.missing(of: ["b", "a", "status.cells"]) == ["b"])
    }
}

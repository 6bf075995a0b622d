import JSON
import Testing

@Suite struct JSONTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-1", "21.53", "21.50", "-0.0", "1e5", "1.5e+3", "18446744073709551615",
        "-9223372036854775808", "18446744073709551616", "-9223372036854775809", "-0",
        #"[1.0,{"a":12345678901234567890123}]"#,
        #""""#, #""😀""#, #""°C""#, #""a\"b\\c\n\u0001""#, "[]", "{}", "[1,[2,[]],{}]",
        #"{"value":21.53,"unit":"°C","time":null}"#, #"{"z":1,"a":2,"m":3}"#, #""a/b""#,
    ])
    func `what is read is written again, digit by digit and in order`(text: String) throws {
        #expect(try JSON(parsing: text).description == text)
    }

    @Test(arguments: [
        "", " ", "nul", "True", "'a'", "1 2", "12x", "[1,]", #"{"a":1,}"#, "{a:1}", "/*x*/1", "01", "1.", ".5", "+1",
        "1e", "-", "0x10", "NaN", "Infinity", "-Infinity", "[NaN]", #""a"#, "\"a\tb\"", #""\q""#, "[1 2]", "1\u{0}2",
        "{'a':1}", #"{"a":1,"a":2}"#, #"{"a":1,"b":[2],"a":[3,4]}"#, #"[{"b":{"a":1,"b":2,"a":3}}]"#,
        #"{"a\u0000b":1}"#, "\u{feff}1", String(repeating: "[", count: 33) + String(repeating: "]", count: 33),
    ])
    func `what is not JSON, or none to rely on, is refused`(text: String) {
        #expect(throws: JSONError.self) { try JSON(parsing: text) }
    }

    @Test func `nesting is bounded, and what is just deep enough is read`() throws {
        let text = Self.nested(31)
        #expect(try JSON(parsing: text).description == text)
        #expect(try JSON(parsing: Self.nested(63), depth: 64).description == Self.nested(63))
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test(arguments: [
        (#""a\u0000b""#, "JSON that is not supported at byte 2: a string may not hold NUL"),
        (#"{"a":"\ud800"}"#, "JSON that is not supported at byte 6: a string may not hold half a character"),
        (#""\udc00\ud800""#, "JSON that is not supported at byte 1: a string may not hold half a character"),
        (#""\ud800\u0041""#, "JSON that is not supported at byte 1: a string may not hold half a character"),
        (nested(40), "JSON that is not supported at byte 32: nesting too deep"),
    ])
    func `what is JSON and is not supported is called so`(text: String, description: String) {
        let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
        #expect(error?.description == description)
    }

    @Test func `an escaped character of two halves is one`() throws {
        #expect(try JSON(parsing: #""\ud83d\ude00\\ud800""#).string == #"😀\ud800"#)
    }

    @Test(arguments: [[0x22, 0xff, 0x22], [0x22, 0xc0, 0x80, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22]] as [[UInt8]])
    func `bytes that are not UTF-8 are refused`(bytes: [UInt8]) {
        #expect(throws: JSONError(offset: 0, reason: "the text is not UTF-8")) { try JSON(parsing: bytes) }
    }

    @Test func `a text beyond the limit is refused`() throws {
        #expect(throws: JSONError.self) { try JSON(parsing: "[1,2,3]", limit: 6) }
        #expect(try JSON(parsing: "[1,2,3]", limit: 7)[2]?.int == 3)
    }

    @Test func `an error says where`() {
        #expect(throws: JSONError(offset: 5, reason: "not a number")) { try JSON(parsing: #"{"a":1.}"#) }
        let error = #expect(throws: JSONError.self) { try JSON(parsing: "[1 2]") }
        #expect(error?.description == "not valid JSON at byte 3: array value separator ',' expected")
    }

    @Test func `values are reached by name and place`() throws {
        let json = try JSON(parsing: #"{"status":"ok","data":{"list":[1,2.5,true,null]}}"#)
        #expect(json["status"]?.string == "ok")
        #expect(json["data"]?["list"]?[0]?.int == 1)
        #expect(json["data"]?["list"]?[1]?.double == 2.5)
        #expect(json["data"]?["list"]?[1]?.int == nil)
        #expect(json["data"]?["list"]?[2]?.bool == true)
        #expect(json["data"]?["list"]?[3]?.isNull == true)
        #expect(json["data"]?["list"]?[4] == nil)
        #expect(json["nothing"] == nil)
        #expect(json["status"]?["nothing"] == nil)
    }

    @Test func `a whole number is whole however it is written`() {
        #expect(JSON.number(verbatim: "5").int == 5)
        #expect(JSON.number(verbatim: "5.0").int == 5)
        #expect(JSON.number(verbatim: "5e2").int == 500)
        #expect(JSON.number(verbatim: "5.5").int == nil)
        #expect(JSON.number(verbatim: "18446744073709551615").int == nil)
        #expect(JSON.number(verbatim: "1e400").double == nil)
    }

    @Test func `literals become values`() {
        let json: JSON = ["a": 1, "b": [true, nil, "x", 0.1], "c": .number(verbatim: "21.50")]
        #expect(json.description == #"{"a":1,"b":[true,null,"x",0.1],"c":21.50}"#)
    }

    @Test func `a member that is set again keeps its place, and one set to nil is gone`() {
        var object: JSON.Object = ["a": 1, "b": 2, "c": 3]
        object["a"] = 4
        object["b"] = nil
        object["d"] = 5
        #expect(object.names == ["a", "c", "d"])
        #expect(JSON.object(object).description == #"{"a":4,"c":3,"d":5}"#)
    }

    @Test(arguments: [3, 300])
    func `of two members with one name the later value counts, at the place of the first`(count: Int) {
        let members = (0..<count).map { ("m\($0)", JSON.number(JSON.Number($0))) }
        let object = JSON.Object(members + [("m1", "new"), ("last", true)])
        #expect(object["m1"] == "new")
        #expect(object["m2"] == 2)
        #expect(object.map(\.name) == members.map(\.0) + ["last"])
    }

    @Test func `for people there are lines`() throws {
        let json: JSON = ["a": [1], "b": "x"]
        #expect(json.prettyDescription.split(separator: "\n").count == 6)
        #expect(try JSON(parsing: json.prettyDescription) == json)
    }

    @Test func `what is not finite is no number`() {
        #expect(JSON.Number(Double.nan) == nil)
        #expect(JSON.Number(-Double.infinity) == nil)
        #expect(JSON.Number(0.1)?.text == "0.1")
        #expect(JSON.Number(text: "1.") == nil)
    }
}

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
    func `JSON writes a parsed text again, with the same digits and order`(text: String) throws {
        #expect(try JSON(parsing: text).description == text)
    }

    @Test(arguments: [
        "", " ", "nul", "True", "'a'", "1 2", "12x", "[1,]", #"{"a":1,}"#, "{a:1}", "/*x*/1", "01", "1.", ".5", "+1",
        "1e", "-", "0x10", "NaN", "Infinity", "-Infinity", "[NaN]", #""a"#, "\"a\tb\"", #""\q""#, "[1 2]", "1\u{0}2",
        "°", "{ü:1}",
        "{'a':1}", #"{"a":1,"a":2}"#, #"{"a":1,"b":[2],"a":[3,4]}"#, #"[{"b":{"a":1,"b":2,"a":3}}]"#,
        #"{"a\u0000b":1}"#, "\u{feff}1", String(repeating: "[", count: 33) + String(repeating: "]", count: 33),
    ])
    func `JSON rejects invalid and ambiguous text`(text: String) {
        #expect(throws: JSONError.self) { try JSON(parsing: text) }
    }

    @Test func `JSON escapes the characters that a terminal obeys or that change the order of a text`() throws {
        var escaped: [UInt32] = []
        for code in Array(0...0x2FFF as ClosedRange<UInt32>) + [0xFEFF, 0x1F600] {
            guard let scalar = Unicode.Scalar(code) else { continue }
            let text = JSON.string("a\(Character(scalar))b").description
            if text != "\"a\(Character(scalar))b\"" { escaped.append(code) }
            if code > 0 { #expect(try JSON(parsing: text).string == "a\(Character(scalar))b") }
        }
        let controls = Array(0x00...0x1F) + [0x22, 0x5C] + Array(0x7F...0x9F)
        let directions = [0x061C, 0x200E, 0x200F] + Array(0x2028...0x202E) + Array(0x2066...0x2069)
        #expect(escaped == (controls + directions).map(UInt32.init))
        #expect(JSON.string("\u{9B}31m\u{202E}\u{2066}\u{85}").description == #""\u009b31m\u202e\u2066\u0085""#)
        #expect(JSON.string("\u{7F}~é").description == #""\u007f~é""#)
    }

    @Test func `JSON limits the depth of nesting`() throws {
        let text = Self.nested(31)
        #expect(try JSON(parsing: text).description == text)
        #expect(try JSON(parsing: Self.nested(63), depth: 64).description == Self.nested(63))
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test(arguments: [
        (#""a\u0000b""#, "unsupported JSON at byte 2: a string must not contain NUL"),
        (#"{"a":"\ud800"}"#, "unsupported JSON at byte 6: a string must not contain half of a surrogate pair"),
        (#""\udc00\ud800""#, "unsupported JSON at byte 1: a string must not contain half of a surrogate pair"),
        (#""\ud800\u0041""#, "unsupported JSON at byte 1: a string must not contain half of a surrogate pair"),
        (nested(40), "unsupported JSON at byte 32: nesting too deep"),
    ])
    func `JSON reports valid text that it does not support`(text: String, description: String) {
        let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
        #expect(error?.description == description)
    }

    @Test func `JSON parses an escaped surrogate pair`() throws {
        #expect(try JSON(parsing: #""\ud83d\ude00\\ud800""#).string == #"😀\ud800"#)
    }

    @Test(arguments: [[0x22, 0xff, 0x22], [0x22, 0xc0, 0x80, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22]] as [[UInt8]])
    func `JSON rejects bytes that are not UTF-8`(bytes: [UInt8]) {
        #expect(throws: JSONError(offset: 0, reason: "the text is not UTF-8")) { try JSON(parsing: bytes) }
    }

    @Test func `JSON rejects a text above the size limit`() throws {
        #expect(throws: JSONError.self) { try JSON(parsing: "[1,2,3]", limit: 6) }
        #expect(try JSON(parsing: "[1,2,3]", limit: 7)[2]?.int == 3)
    }

    @Test func `JSONError contains the position`() {
        #expect(throws: JSONError(offset: 5, reason: "not a number")) { try JSON(parsing: #"{"a":1.}"#) }
        let error = #expect(throws: JSONError.self) { try JSON(parsing: "[1 2]") }
        #expect(error?.description == "not valid JSON at byte 3: expected ',' or ']' after the value")
    }

    @Test func `JSONError counts characters beyond ASCII in bytes of UTF-8`() {
        let text = #"["°😀" 2]"#
        #expect(throws: JSONError(offset: 10, reason: "expected ',' or ']' after the value")) {
            try JSON(parsing: text)
        }
        #expect(throws: JSONError.self) { try JSON(parsing: "[°]") }
    }

    @Test func `subscripts return members by name and elements by index`() throws {
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

    @Test func `int accepts an integer in any notation`() {
        #expect(JSON.number(verbatim: "5").int == 5)
        #expect(JSON.number(verbatim: "5.0").int == 5)
        #expect(JSON.number(verbatim: "5e2").int == 500)
        #expect(JSON.number(verbatim: "5.5").int == nil)
        #expect(JSON.number(verbatim: "18446744073709551615").int == nil)
        #expect(JSON.number(verbatim: "1e400").double == nil)
    }

    @Test func `JSON is expressible by literals`() {
        let json: JSON = ["a": 1, "b": [true, nil, "x", 0.1], "c": .number(verbatim: "21.50")]
        #expect(json.description == #"{"a":1,"b":[true,null,"x",0.1],"c":21.50}"#)
    }

    @Test func `Object keeps the place of a member that is set again, and removes one that is set to nil`() {
        var object: JSON.Object = ["a": 1, "b": 2, "c": 3]
        object["a"] = 4
        object["b"] = nil
        object["d"] = 5
        #expect(object.names == ["a", "c", "d"])
        #expect(JSON.object(object).description == #"{"a":4,"c":3,"d":5}"#)
    }

    @Test(arguments: [3, 300])
    func `Object keeps the last value of a name, at the place of the first`(count: Int) {
        let members = (0..<count).map { ("m\($0)", JSON.number(JSON.Number($0))) }
        let object = JSON.Object(members + [("m1", "new"), ("last", true)])
        #expect(object["m1"] == "new")
        #expect(object["m2"] == 2)
        #expect(object.map(\.name) == members.map(\.0) + ["last"])
    }

    @Test func `JSON escapes control characters, quotation marks and backslashes`() {
        let text = "\u{0}\u{8}\t\n\u{c}\r\u{1f}\u{7f}\"\\/ü"
        #expect(JSON.string(text).description == #""\u0000\b\t\n\f\r\u001f\u007f\"\\/ü""#)
    }

    @Test func `Number rejects infinity, NaN and invalid text`() {
        #expect(JSON.Number(Double.nan) == nil)
        #expect(JSON.Number(-Double.infinity) == nil)
        #expect(JSON.Number(0.1)?.text == "0.1")
        #expect(JSON.Number(text: "1.") == nil)
    }
}

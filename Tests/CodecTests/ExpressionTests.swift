import Codec
import JSON
import Testing

@Suite struct ExpressionTests {
    /// Returns the value of a formula for a = 5, b = 2 and an unknown c.
    private func value(of formula: String) throws -> Value? {
        let operands: [Field] = [
            .number("a", .uint8), .number("b", .sint8), .number("c", .uint8, unknown: [255]),
        ]
        let result = Field("result", .formula(Formula(try Expression(formula))))
        return try Format(operands.map(\.hidden) + [result]).decode([5, 2, 255]).payload["result"]
    }

    @Test(
        arguments: [
            ("a + b * 2", 9), ("(a + b) * 2", 14), ("a - b - 1", 2), ("-a + b", -3), ("a / b", 2.5), ("a % b", 1),
            ("a << b", 20), ("a >> 1", 2), ("a & 4 | 2", 6), ("1 << 2 * 3", 12), ("0x10 + 1.5", 17.5), ("a > b", 1),
            ("a <= b", 0), ("a == 5 && b != 5", 1), ("a == 4 || b == 4", 0), ("!a", 0), ("!(a < b)", 1),
            ("min(a, b)", 2), ("max(a, b, 7)", 7), ("abs(b - a)", 3), ("floor(a / b)", 2), ("floor(-a / b)", -3),
            ("round(a / 3, 2)", 1.67), ("round(-a / b)", -3), ("pow(a, b)", 25), ("if(a > b, a, c)", 5),
            ("a + c", .null), ("a / 0", .null), ("a % 0", .null), ("a << 100", .null), ("1.5 & 1", .null),
            ("abs(-170141183460469231731687303715884105727 & -2)", .null),
            ("-(-170141183460469231731687303715884105727 & -2)", .null),
            ("-170141183460469231731687303715884105727 | -2", -1),
            ("-9223372036854775807 << 63 >> 63", -9_223_372_036_854_775_807),
            ("if(c, a, b)", .null), ("round(a, -9223372036854775808)", .null),
            ("ceil(a / b)", 3), ("ceil(-a / b)", -2), ("ceil(a)", 5), ("clamp(a, 0, b)", 2), ("clamp(-a, 0, b)", 0),
            ("round(sqrt(a), 4)", 2.2361), ("sqrt(-a)", .null), ("round(exp(b), 3)", 7.389), ("round(ln(a), 3)", 1.609),
            ("ln(0)", .null), ("round(dew_point(25, 50), 2)", 13.85), ("dew_point(25, 0)", .null),
            ("dew_point(-300, 50)", .null), ("round(absolute_humidity(25, 50), 2)", 11.48),
            ("round(vapour_pressure_deficit(25, 50), 3)", 1.58),
            ("ones(a)", 2), ("ones(0)", 0), ("ones(-a)", .null), ("ones(a / b)", .null), ("min(a)", .null),
            ("round(a / 3 / (b / 7), 6)", 5.833333), ("round(a / 3 * (b / 7), 6)", 0.47619),
        ] as [(String, Value)])
    func `Expression returns the value of a formula`(formula: String, expected: Value) throws {
        #expect(try value(of: formula) == expected)
    }

    /// The known values; a list with a value that is not known, a list without numbers, and a PIN.
    private static let known: Environment = [
        "list": [4, .null, 9.5], "empty": [], "unknown": [.null], "texts": ["a"], "pin": "0427", "word": "abcd", "n": 2,
    ]

    @Test(
        arguments: [
            ("min(list)", 4), ("max(list)", 9.5), ("sum(list)", 13.5), ("mean(list)", 6.75), ("count(list)", 2),
            ("max(list) - min(list)", 5.5), ("sum(empty)", 0), ("count(empty)", 0), ("sum(unknown)", 0),
            ("min(empty)", nil), ("max(unknown)", nil), ("mean(empty)", nil), ("sum(texts)", nil), ("sum(n)", nil),
            ("sum(pin)", nil), ("crc32(word)", 0xED82_CD11), ("crc32(pin)", 0xA7C0_9B8F), ("crc32(n)", nil),
            ("digit(pin, 0)", 0), ("digit(pin, n)", 2), ("digit(pin, 3)", 7), ("digit(pin, 4)", nil),
            ("digit(pin, -1)", nil), ("digit(pin, 0.5)", nil), ("digit(word, 1)", nil), ("crc32(list)", nil),
        ] as [(String, Decimal?)])
    func `Expression returns the value of a function of a list or a text`(formula: String, expected: Decimal?) throws {
        let formula = try Expression(formula)
        if let expected {
            #expect(try formula.number(in: Self.known) == expected)
        } else {
            #expect(throws: FormulaFailure.noResult(formula.text)) { try formula.number(in: Self.known) }
        }
    }

    @Test(
        arguments: [
            ("", "expected a number or a name at the end of ''"),
            ("a +", "expected a number or a name at the end of 'a +'"),
            ("(a", "expected ')' at the end of '(a'"),
            ("a b", "expected an operator before 'b' in 'a b'"),
            ("1x", "'1x' in '1x' is not a number"),
            ("pow(a)", "pow needs 2 values, found 1"),
            ("min(1)", "min needs the name of a list in 'min(1)'"),
            ("sum(a, b)", "sum needs 1 value, found 2"),
            ("crc32(1 + a)", "crc32 needs the name of a text in 'crc32(1 + a)'"),
            (
                "sin(a)",
                "unknown function 'sin': the functions are abs, absolute_humidity, ceil, clamp, count, crc32, dew_point, "
                    + "digit, exp, floor, if, ln, max, mean, min, ones, pow, round, sqrt, sum, vapour_pressure_deficit"
            ),
            (
                String(repeating: "(", count: 100),
                "'\(String(repeating: "(", count: 60))…' is nested too deeply"
            ),
        ])
    func `Expression rejects a text that is not a formula`(text: String, reason: String) {
        let error = #expect(throws: ExpressionError.self) { try Expression(text) }
        #expect(error?.description == reason)
    }

    @Test func `Expression accepts up to 256 operators`() throws {
        #expect(try value(of: "a" + String(repeating: " + 1", count: 256)) == 261)
        let error = #expect(throws: ExpressionError.self) { try Expression("a" + String(repeating: "+1", count: 257)) }
        #expect(error?.description == "a formula has at most 256 operators")
    }

    @Test(
        arguments: [
            (.sum, 0x1DD), (.xor, 0x31), (.crc8, 0xF7), (.crc16Modbus, 0x4B37), (.crc16, 0x6F91),
            (.crc16Fujitsu, 0xE5CC), (.negativeSum, 0xFFFF_FFFF_FFFF_FE23), (.crc8Maxim, 0xA1), (.crc16CCITT, 0x29B1),
            (.crc16Xmodem, 0x31C3), (.crc32, 0xCBF4_3926),
        ] as [(Checksum, UInt64)])
    func `Checksum of the digits 1 to 9 is the published one`(checksum: Checksum, expected: UInt64) {
        #expect(checksum(Array("123456789".utf8)) == expected)
    }
}

import Codec
import Testing

@Suite struct ExpressionTests {
    /// What a formula makes of a = 5, b = 2 and c = not known.
    private func value(of formula: String) throws -> Value? {
        var (a, b, c) = (Field("a", .uint8), Field("b", .sint8), Field("c", .uint8))
        c.unknown = [255]
        (a.isShown, b.isShown, c.isShown) = (false, false, false)
        var result = Field("result", .number)
        result.expression = try Expression(formula)
        return try Format([a, b, c, result]).decode([5, 2, 255]).payload["result"]
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
            ("round(a / 3 / (b / 7), 6)", 5.833333), ("round(a / 3 * (b / 7), 6)", 0.47619),
        ] as [(String, Value)])
    func `a formula has a value`(formula: String, expected: Value) throws {
        #expect(try value(of: formula) == expected)
    }

    @Test(
        arguments: [
            ("", "a number or a name is expected at the end of ''"),
            ("a +", "a number or a name is expected at the end of 'a +'"),
            ("(a", "')' is expected at the end of '(a'"),
            ("a b", "an operator is expected before 'b' in 'a b'"),
            ("1x", "'1x' in '1x' is no number"),
            ("min(a)", "min takes 2 values, not 1"),
            ("sin(a)", "there is no function 'sin', only abs, floor, if, max, min, pow, round"),
            (
                String(repeating: "(", count: 100),
                "'\(String(repeating: "(", count: 60))…' is nested too deeply"
            ),
        ])
    func `what is no formula is refused`(text: String, reason: String) {
        let error = #expect(throws: ExpressionError.self) { try Expression(text) }
        #expect(error?.description == reason)
    }

    @Test func `a formula is as long as anybody needs`() throws {
        #expect(try value(of: "a" + String(repeating: " + 1", count: 256)) == 261)
        let error = #expect(throws: ExpressionError.self) { try Expression("a" + String(repeating: "+1", count: 257)) }
        #expect(error?.description == "a formula has at most 256 operators")
    }

    @Test(
        arguments: [
            (.sum, 0x1DD), (.xor, 0x31), (.crc8, 0xF7), (.crc16Modbus, 0x4B37), (.crc16, 0x6F91),
            (.crc16Fujitsu, 0xE5CC),
        ] as [(Checksum, UInt64)])
    func `a checksum of the digits 1 to 9 is the known one`(checksum: Checksum, expected: UInt64) {
        #expect(checksum(Array("123456789".utf8)) == expected)
    }
}

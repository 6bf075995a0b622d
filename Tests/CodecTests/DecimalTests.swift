import Codec
import Testing

@Suite struct DecimalTests {
    @Test(arguments: [
        (Decimal(2153, exponent: -2), "21.53"), (Decimal(-5, exponent: -1), "-0.5"), (Decimal(500, exponent: -2), "5"),
        (Decimal(0, exponent: -2), "0"), (Decimal(0, exponent: 5), "0"), (Decimal(-1, exponent: -5), "-0.00001"),
        (Decimal(12, exponent: 3), "12000"), (Decimal(UInt64.max), "18446744073709551615"),
        (Decimal(Int64.min), "-9223372036854775808"), (Decimal(-8_388_605, exponent: 127), "-8.388605e133"),
        (Decimal(1, exponent: -128), "1e-128"), (Decimal(100, exponent: -2), "1"),
    ])
    func `Decimal is written exactly and without needless zeros`(number: Decimal, text: String) {
        #expect(number.description == text)
        #expect(Decimal(text) == number)
    }

    @Test(arguments: [
        "", "-", ".", "1.", ".5", "+1", "1e", "1e+", "1.5.2", "0x10", " 1", "1 ", "nan", "inf", "--1", "1e5000",
        "1e-5000", "1e9223372036854775807", "1e-9223372036854775808",
        "1234567890123456789012345678901234567890",
    ])
    func `Decimal rejects a text that is not a number`(text: String) {
        #expect(Decimal(text) == nil)
    }

    @Test func `Decimal reads powers of ten`() {
        #expect(Decimal("1.5E3") == 1500)
        #expect(Decimal("15e-1") == 1.5)
        #expect(Decimal("-1.5e+2") == -150)
    }

    @Test func `Decimals with different exponents can be equal`() {
        #expect(Decimal(150, exponent: -2) == Decimal(15, exponent: -1))
        #expect(Set([Decimal(150, exponent: -2), Decimal(15, exponent: -1), 1.5]).count == 1)
        #expect(Decimal(1) != Decimal(-1))
    }

    @Test(arguments: [(21.53, "21.53"), (0.1, "0.1"), (1e-7, "0.0000001"), (-1.5, "-1.5"), (1e-30, "1e-30")])
    func `Decimal uses the shortest text of a binary number`(number: Double, text: String) {
        #expect(Decimal(number)?.description == text)
    }

    @Test func `Decimal rejects infinities and NaN`() {
        #expect(Decimal(Double.nan) == nil)
        #expect(Decimal(Double.infinity) == nil)
        #expect(Decimal(-Float.infinity) == nil)
        #expect(Decimal(Float(0.1)) == 0.1)
    }

    @Test func `Decimals are ordered by value`() {
        let numbers: [Decimal] = [-1000, -1.5, -0.001, 0, 0.0001, 0.1, 1, 1.5, 15]
        #expect(numbers.shuffled().sorted() == numbers)
        #expect(Decimal(1, exponent: 100) > Decimal(Int128.max))
        #expect(Decimal(-1, exponent: 100) < Decimal(-5, exponent: -100))
        #expect(Decimal(0, exponent: 100) < Decimal(1, exponent: -100))
    }

    @Test func `Decimal sums and products are exact`() {
        #expect(Decimal(0.1).adding(0.2) == 0.3)
        #expect(Decimal(0.3).subtracting(0.1) == 0.2)
        #expect(Decimal(0.05).multiplied(by: 3) == 0.15)
        #expect(Decimal(1).divided(by: 8) == 0.125)
        #expect(Decimal(7).divided(by: 0) == nil)
    }

    @Test func `Decimal arithmetic returns nil beyond 128 bits`() {
        #expect(Decimal(Int128.max).adding(1) == nil)
        #expect(Decimal(Int128.max).multiplied(by: 2) == nil)
        #expect(Decimal(1, exponent: 40).adding(1) == nil)
        // The least integer has no opposite in 128 bits.
        #expect(Decimal(-Int128.max).adding(-1) == nil)
        #expect(Decimal(Int128.min / 2).multiplied(by: 2) == nil)
        #expect(Decimal(Int128.min).steps(of: -1) == nil)
        #expect(Decimal(1, exponent: 20_000).multiplied(by: Decimal(1, exponent: 20_000)) == nil)
    }

    @Test(
        arguments: [
            (21.53, 0.01, 2153), (21.535, 0.01, 2154), (21.5349, 0.01, 2153), (-21.535, 0.01, -2154), (1, 3, 0),
            (2, 3, 1),
            (-2, 3, -1), (5, -1, -5), (7, -2, -4), (0.0000001, 1000, 0), (75, 0.005, 15000),
        ] as [(Decimal, Decimal, Int128)])
    func `Decimal rounds to the nearest step, halves away from zero`(number: Decimal, step: Decimal, steps: Int128) {
        #expect(number.steps(of: step) == steps)
    }

    @Test func `Decimal steps of any size do not overflow`() {
        #expect(Decimal(1, exponent: -60).steps(of: 1) == 0)
        #expect(Decimal(1, exponent: 60).steps(of: 1) == nil)
        #expect(Decimal(1).steps(of: 0) == nil)
    }

    @Test func `Decimal has an integer only for a whole number`() {
        #expect(Decimal(1500, exponent: -2).integer == 15)
        #expect(Decimal(15, exponent: 2).integer == 1500)
        #expect(Decimal(1.5).integer == nil)
        #expect(Decimal(1, exponent: 30).integer == nil)
    }
}

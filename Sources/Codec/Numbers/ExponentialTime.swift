/// Time Exponential 8 (characteristic 2B13): 1.1^(N-64) seconds.
///
/// Source: GATT Specification Supplement, Time Exponential 8.
enum ExponentialTime {
    /// The times of N from 0 to 253 in seconds, with nine digits.
    ///
    /// 254 (the life of the device) and 255 (not known) do not stand for a number of seconds.
    private static let seconds: [Decimal] =
        [.zero]
        + (1...253).map { (number: Int) -> Decimal in
            let power = (0..<abs(number - 64)).reduce(1.0) { power, _ in power * 1.1 }
            return Decimal(number < 64 ? 1 / power : power, significantDigits: 9)
        }

    static var longest: Decimal { seconds[seconds.count - 1] }

    static func decode(_ byte: UInt8) -> Value {
        Int(byte) < seconds.count ? .number(seconds[Int(byte)]) : .null
    }

    /// Returns the byte of the nearest time; nil for a negative time and for a time longer than `longest`.
    static func encode(_ time: Decimal) -> UInt8? {
        guard .zero...longest ~= time else { return nil }
        let above = seconds.firstIndex { $0 >= time } ?? 0
        guard above > 0, let distance = seconds[above].subtracting(time),
            let other = time.subtracting(seconds[above - 1]), other < distance
        else { return UInt8(above) }
        return UInt8(above - 1)
    }
}

extension Decimal {
    /// Creates the decimal number for a positive number, rounded to a number of significant digits.
    fileprivate init(_ value: Double, significantDigits digits: Int) {
        var exponent = 0
        var mantissa = value
        let limit = (0..<digits).reduce(1.0) { power, _ in power * 10 }
        while mantissa >= limit {
            mantissa /= 10
            exponent += 1
        }
        while mantissa < limit / 10 {
            mantissa *= 10
            exponent -= 1
        }
        // Not `rounded()`: every program that links Codec would need the C library's libm.
        self.init(Int64(mantissa + 0.5), exponent: exponent)
    }
}

/// An operator or a function of an expression.
enum ExpressionFunction: String, Hashable, Sendable, CaseIterable {
    case negate = "-x"
    case not = "!"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
    case and = "&"
    case add = "+"
    case subtract = "-"
    case or = "|"
    case equal = "=="
    case unequal = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
    case both = "&&"
    case either = "||"
    case minimum = "min"
    case maximum = "max"
    case absolute = "abs"
    case floor
    case round
    case power = "pow"
    case choose = "if"
    case ceiling = "ceil"
    case clamp
    case squareRoot = "sqrt"
    case exponential = "exp"
    case logarithm = "ln"
    case ones
    case dewPoint = "dew_point"
    case absoluteHumidity = "absolute_humidity"
    case vapourPressureDeficit = "vapour_pressure_deficit"

    /// The operators between two operands, by precedence: the tightest level first.
    static let infix: [[ExpressionFunction]] = [
        [.shiftLeft, .shiftRight], [.multiply, .divide, .remainder, .and], [.add, .subtract, .or],
        [.equal, .unequal, .lessOrEqual, .greaterOrEqual, .less, .greater], [.both], [.either],
    ]

    /// The functions with a name, and the number of their operands.
    static let named: [ExpressionFunction: ClosedRange<Int>] = [
        .minimum: 2...8, .maximum: 2...8, .absolute: 1...1, .floor: 1...1, .round: 1...2, .power: 2...2, .choose: 3...3,
        .ceiling: 1...1, .clamp: 3...3, .squareRoot: 1...1, .exponential: 1...1, .logarithm: 1...1, .ones: 1...1,
        .dewPoint: 2...2, .absoluteHumidity: 2...2, .vapourPressureDeficit: 2...2,
    ]

    /// Whether the result of exact operands is exact.
    var isExact: Bool {
        switch self {
        case .divide, .power, .squareRoot, .exponential, .logarithm, .dewPoint, .absoluteHumidity,
            .vapourPressureDeficit:
            false
        default: true
        }
    }
}

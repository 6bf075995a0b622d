/// A formula over the numbers of earlier fields: `(raw - 32) / 1.8`.
///
/// Operators, the tightest first: `-x`, `!x` · `<< >>` · `* / % &` · `+ - |` · `== != < <= > >=` · `&&` · `||`.
///
/// Functions: `min(a, b)`, `max(a, b)`, `clamp(x, least, greatest)`, `abs(x)`, `floor(x)`, `ceil(x)`, `round(x, places)`,
/// `pow(x, y)`, `sqrt(x)`, `exp(x)`, `ln(x)`, `if(condition, a, b)`, and of moist air (`MoistAir`)
/// `dew_point(temperature, humidity)`, `absolute_humidity(…)`, `vapour_pressure_deficit(…)`.
///
/// True is 1 and false is 0. `null` means "not known"; a result that depends on an unknown number is unknown.
package struct Expression: Hashable, Sendable {
    indirect enum Node: Hashable, Sendable {
        case number(Decimal)
        case unknown
        case name(String)
        case call(ExpressionFunction, [Node])
    }

    /// The text of the formula.
    package let text: String
    let root: Node

    /// The names of the fields and bits to which the formula refers.
    package var names: Set<String> {
        root.names
    }

    /// Whether the result for exact numbers is exact: without divisions, powers and other curves.
    package var isExact: Bool {
        root.isExact
    }

    /// Whether the result is true or false: the outermost operation is a comparison or a logical operator.
    package var isCondition: Bool {
        guard case .call(let function, _) = root else { return false }
        return switch function {
        case .not, .equal, .unequal, .less, .lessOrEqual, .greater, .greaterOrEqual, .both, .either: true
        default: false
        }
    }
}

extension Expression: CustomStringConvertible {
    package var description: String { text }
}

extension Expression.Node {
    fileprivate var isExact: Bool {
        guard case .call(let function, let operands) = self else { return true }
        return function.isExact && operands.allSatisfy(\.isExact)
    }

    fileprivate var names: Set<String> {
        switch self {
        case .number, .unknown: []
        case .name(let name): [name]
        case .call(_, let operands): operands.reduce(into: []) { $0.formUnion($1.names) }
        }
    }
}

/// The reason why a text is not a formula.
package struct ExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The mistake and its position.
    package let description: String
}

/// A formula over the numbers of earlier fields: `(raw - 32) / 1.8`.
///
/// Operators, the tightest first: `-x`, `!x` · `<< >>` · `* / % &` · `+ - |` · `== != < <= > >=` · `&&` · `||`.
///
/// Functions: `min(a, b)`, `max(a, b)`, `clamp(x, least, greatest)`, `abs(x)`, `floor(x)`, `ceil(x)`, `round(x, places)`,
/// `pow(x, y)`, `sqrt(x)`, `exp(x)`, `ln(x)`, `ones(x)` (the number of set bits), `if(condition, a, b)`, and of moist air
/// (`MoistAir`) `dew_point(temperature, humidity)`, `absolute_humidity(…)`, `vapour_pressure_deficit(…)`.
///
/// Functions of a list: `min(list)`, `max(list)`, `sum(list)`, `mean(list)`, `count(list)`; of a text: `crc32(text)`,
/// `digit(text, position)` (`ValueFunction`).
///
/// True is 1 and false is 0. `null` means "not known"; a result that depends on an unknown number is unknown.
package struct Expression: Hashable, Sendable {
    indirect enum Node: Hashable, Sendable {
        case number(Decimal)
        case unknown
        case name(String)
        case call(ExpressionFunction, [Node])
        /// A function of the list or the text with a name, and its other operands.
        case callOnValue(ValueFunction, String, [Node])
    }

    /// The text of the formula.
    package let text: String
    let root: Node

    /// The names of the fields and bits to which the formula refers.
    package var names: Set<String> {
        root.names
    }

    /// The same formula with numbers in the place of names.
    package func replacing(_ numbers: [String: Decimal]) -> Expression {
        numbers.isEmpty ? self : Expression(text: text, root: root.replacing(numbers))
    }

    /// The names of lists and texts to which functions of the formula refer.
    var valueNames: Set<String> {
        root.valueNames
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
        switch self {
        case .number, .unknown, .name: true
        case .call(let function, let operands): function.isExact && operands.allSatisfy(\.isExact)
        case .callOnValue(let function, _, let operands): function.isExact && operands.allSatisfy(\.isExact)
        }
    }

    fileprivate var valueNames: Set<String> {
        switch self {
        case .number, .unknown, .name: []
        case .call(_, let operands): operands.reduce(into: []) { $0.formUnion($1.valueNames) }
        case .callOnValue(_, let name, let operands): operands.reduce(into: [name]) { $0.formUnion($1.valueNames) }
        }
    }

    fileprivate func replacing(_ numbers: [String: Decimal]) -> Expression.Node {
        switch self {
        case .number, .unknown: self
        case .name(let name): numbers[name].map { .number($0) } ?? self
        case .call(let function, let operands): .call(function, operands.map { $0.replacing(numbers) })
        case .callOnValue(let function, let name, let operands):
            .callOnValue(function, name, operands.map { $0.replacing(numbers) })
        }
    }

    fileprivate var names: Set<String> {
        switch self {
        case .number, .unknown: []
        case .name(let name): [name]
        case .call(_, let operands): operands.reduce(into: []) { $0.formUnion($1.names) }
        case .callOnValue(_, let name, let operands): operands.reduce(into: [name]) { $0.formUnion($1.names) }
        }
    }
}

/// The reason why a text is not a formula.
package struct ExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The mistake and its position.
    package let description: String
}

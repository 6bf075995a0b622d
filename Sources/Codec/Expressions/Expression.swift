/// A formula over the numbers of earlier fields: `(raw - 32) / 1.8`.
///
/// Operators, the tightest first: `-x`, `!x` · `<< >>` · `* / % &` · `+ - |` · `== != < <= > >=` · `&&` · `||`.
///
/// Functions: `min(a, b)`, `max(a, b)`, `abs(x)`, `floor(x)`, `round(x, places)`, `pow(x, y)`, `if(condition, a, b)`.
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
}

extension Expression: CustomStringConvertible {
    package var description: String { text }
}

extension Expression.Node {
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

/// A length in bytes, or a number of repetitions.
package enum Extent: Hashable, Sendable {
    case exactly(Int)
    /// Up to the end of the bytes; only for the last field.
    case toTheEnd
    /// The number of an earlier field with this name.
    case field(String)
    /// The result of a formula over the numbers of earlier fields.
    indirect case formula(Expression)

    /// The names of the fields to which the extent refers.
    var names: Set<String> {
        switch self {
        case .exactly, .toTheEnd: []
        case .field(let name): [name]
        case .formula(let formula): formula.names
        }
    }
}

extension Extent: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) {
        self = .exactly(value)
    }
}

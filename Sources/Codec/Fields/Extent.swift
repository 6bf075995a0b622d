/// A length in bytes, or a number of repetitions.
package enum Extent: Hashable, Sendable {
    case exactly(Int)
    /// Up to the end of the bytes; only for the last field.
    case toTheEnd
    /// The number of an earlier field with this name.
    case field(String)
}

extension Extent: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) {
        self = .exactly(value)
    }
}

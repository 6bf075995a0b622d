/// How long or how often something is.
package enum Extent: Hashable, Sendable {
    case exactly(Int)
    /// As far as the bytes reach; only for the last field.
    case toTheEnd
    /// As the number of an earlier field says.
    case field(String)
}

extension Extent: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) {
        self = .exactly(value)
    }
}

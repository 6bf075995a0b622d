/// What the number of an earlier field must be for a later one to be there.
package struct Condition: Hashable, Sendable {
    package enum Requirement: Hashable, Sendable {
        /// Any number but zero.
        case set
        /// Exactly this one.
        case equal(Int)
        /// Any but this one.
        case unequal(Int)
    }

    /// The name of the bit field, or of a whole field.
    package var flag: String
    package var requirement: Requirement

    /// Holds when the flag is set.
    package init(_ flag: String) {
        self.init(flag, .set)
    }

    /// Holds when the flag has exactly this value: 0 for a flag that must not be set.
    package init(_ flag: String, equals number: Int) {
        self.init(flag, .equal(number))
    }

    package init(_ flag: String, _ requirement: Requirement) {
        self.flag = flag
        self.requirement = requirement
    }

    func holds(for number: Decimal) -> Bool {
        switch requirement {
        case .set: number != .zero
        case .equal(let other): number == Decimal(other)
        case .unequal(let other): number != Decimal(other)
        }
    }
}

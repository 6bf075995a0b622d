/// A requirement on the number of an earlier field that decides whether a later field is present.
package struct Condition: Hashable, Sendable {
    /// The requirement on the number.
    package enum Requirement: Hashable, Sendable {
        /// The number is not 0.
        case set
        /// The number is equal to this one.
        case equal(Int)
        /// The number differs from this one.
        case unequal(Int)
    }

    /// The name of the earlier bits or of the earlier field whose number is tested.
    package var flag: String
    package var requirement: Requirement

    /// Creates a condition that holds if the flag is not 0.
    package init(_ flag: String) {
        self.init(flag, .set)
    }

    /// Creates a condition that holds if the flag has exactly this number; 0 means that the flag must not be set.
    package init(_ flag: String, equals number: Int) {
        self.init(flag, .equal(number))
    }

    package init(_ flag: String, _ requirement: Requirement) {
        self.flag = flag
        self.requirement = requirement
    }

    package func holds(for number: Decimal) -> Bool {
        switch requirement {
        case .set: number != .zero
        case .equal(let other): number == Decimal(other)
        case .unequal(let other): number != Decimal(other)
        }
    }
}

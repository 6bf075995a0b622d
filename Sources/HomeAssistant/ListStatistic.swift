/// A number that summarizes a list of numbers, with an entity of its own.
package enum ListStatistic: String, CaseIterable, Sendable {
    case minimum, maximum, difference

    /// The Jinja expression of the list `x`.
    var expression: String {
        switch self {
        case .minimum: "x | min"
        case .maximum: "x | max"
        case .difference: "(x | max) - (x | min)"
        }
    }
}

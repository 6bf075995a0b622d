package import Codec
import JSON

/// The changes of a reading after it was decoded, as members of the payload.
///
/// A class: most readings have no marks, and an empty reference costs a reading nothing.
package final class ReadingMarks: Sendable, Equatable {
    package enum Adjusted: Equatable, Sendable {
        /// The only value of the reading was corrected.
        case value
        /// The fields with these names were corrected.
        case fields([String])
    }

    /// The corrected values; nil if there are none.
    package let adjusted: Adjusted?
    /// Whether the value was calculated from other values.
    package let isDerived: Bool
    /// The number of values that an average contains; nil if the reading is not an average.
    package let samples: Int?

    package init(adjusted: Adjusted? = nil, isDerived: Bool = false, samples: Int? = nil) {
        self.adjusted = adjusted
        self.isDerived = isDerived
        self.samples = samples
    }

    package static func == (left: ReadingMarks, right: ReadingMarks) -> Bool {
        left.adjusted == right.adjusted && left.isDerived == right.isDerived && left.samples == right.samples
    }

    /// The names of all members.
    static let names: Set<String> = ["adjusted", "derived", "samples"]

    /// The names and values of the members.
    package var members: [(name: String, value: Value)] {
        var members: [(name: String, value: Value)] = []
        switch adjusted {
        case .value: members.append(("adjusted", .boolean(true)))
        case .fields(let names): members.append(("adjusted", .list(names.map { .string($0) })))
        case nil: break
        }
        if isDerived { members.append(("derived", .boolean(true))) }
        if let samples { members.append(("samples", .number(Decimal(samples)))) }
        return members
    }
}

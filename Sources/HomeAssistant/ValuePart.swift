/// One step from a value to a part of it: an element of a list, or a member of a record.
package enum ValuePart: Equatable, Sendable {
    /// The element of a list at this index, from 0.
    case element(Int)
    case member(String)

    /// The part in the names and keys of entities; elements are counted from 1.
    package var name: String {
        switch self {
        case .element(let index): "\(index + 1)"
        case .member(let name): name
        }
    }

    /// The Jinja expression of the index or of the name.
    package var key: String {
        switch self {
        case .element(let index): "\(index)"
        case .member(let name): ValueTemplate.quoted(name)
        }
    }
}

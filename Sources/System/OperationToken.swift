/// Identifies the operations that are valid at one time, for example the operations of one connection.
///
/// The owner advances its token when the running operations become obsolete. Each operation keeps the token of its
/// start; if the owner's token differs at the end, the result is ignored.
package struct OperationToken: Hashable, Sendable {
    private var number = 0

    package init() {}

    /// Makes the token differ from all earlier tokens.
    package mutating func advance() {
        number += 1
    }
}

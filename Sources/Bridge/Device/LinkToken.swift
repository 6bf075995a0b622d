/// Identifies one connection, or one execution of a command; results that carry an older token are ignored.
struct LinkToken: Hashable, Sendable {
    private var number = 0

    /// Makes the token differ from all earlier tokens.
    mutating func advance() {
        number += 1
    }
}

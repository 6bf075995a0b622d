/// Identifies one connection of a peripheral.
///
/// Results of an earlier connection carry another token and are ignored.
struct LinkToken: Hashable, Sendable {
    private var number = 0

    /// Makes the token that of the next connection.
    mutating func advance() {
        number += 1
    }
}

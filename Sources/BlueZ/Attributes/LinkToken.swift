/// Identifies the operations of a peripheral between two cancellations.
///
/// All operations are cancelled if the connection is lost, the services change or the caller cancels them. Results of
/// cancelled operations have an earlier token and are ignored.
struct LinkToken: Hashable, Sendable {
    private var number = 0

    /// Changes the token, so that results with the previous token are ignored.
    mutating func advance() {
        number += 1
    }
}

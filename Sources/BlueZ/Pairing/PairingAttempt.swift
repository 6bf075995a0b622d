internal import DBus

/// A call of Pair, which lives on the loop.
final class PairingAttempt: @unchecked Sendable {
    /// Nil: there is no answer yet.
    var outcome: Result<Void, DBusError>?
}

/// How long an attempt to connect may last where bluetoothd does not survive longer ones, and the rest after it.
struct AttemptLimit: Hashable, Sendable {
    let length: Duration
    let rest: Duration

    /// For versions before 5.69: 5.66 crashes when the kernel gives up an attempt by itself while a client waits for it,
    /// which Linux 6.1 does after 4 s (measured; 5.82 survives it).
    ///
    /// The two together are no multiple of a usual interval of advertisements: who is heard every ten seconds is met by
    /// one of the attempts.
    static let early = AttemptLimit(length: .milliseconds(3500), rest: .seconds(8))
}

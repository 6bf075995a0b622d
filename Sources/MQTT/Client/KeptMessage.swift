package import System

/// A message that the client hands over to its owner, because the broker has not accepted it for a while.
package struct KeptMessage: Sendable {
    package let message: Message
    /// Identifies the message in `Event.settled`; unique for one client.
    package let place: Int
    /// The time of publishing.
    package let published: Instant
    /// Whether the client still sends the message: the newest of a state, or a message in flight.
    ///
    /// `Event.settled` follows when the broker has accepted it.
    package let isWaiting: Bool
}

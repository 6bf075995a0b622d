/// The rule that decides which queued messages of one topic are kept.
package enum QueuePolicy: Hashable, Sendable {
    /// The newest message only: for states.
    case latest
    /// Each message, in order: for events, recorded readings and responses.
    case each
}

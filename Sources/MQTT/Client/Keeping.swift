/// What is kept of a message's topic while there is no connection.
package enum Keeping: Hashable, Sendable {
    /// The newest message only: for states.
    case latest
    /// Each message, in order: for events, readings that are recorded, and responses.
    case each
}

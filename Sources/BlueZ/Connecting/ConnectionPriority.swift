/// How urgently a link is wanted.
package enum ConnectionPriority: Int, Comparable, Sendable, CaseIterable {
    /// To stay connected: whoever waits longer may have its turn.
    case background
    /// A session that is due: it ends by itself.
    case session
    /// Somebody waits for an answer.
    case command

    package static func < (left: ConnectionPriority, right: ConnectionPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}

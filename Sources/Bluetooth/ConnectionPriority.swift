/// How urgently a connection is needed.
package enum ConnectionPriority: Int, Comparable, Sendable, CaseIterable {
    /// A permanent connection without a pending request.
    case background
    /// A session that is due and disconnects when it is complete.
    case session
    /// A request of a client that waits for the response.
    case command

    package static func < (left: ConnectionPriority, right: ConnectionPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}

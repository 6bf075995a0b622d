/// How urgently a connection is needed.
package enum ConnectionPriority: Int, Comparable, Sendable, CaseIterable {
    /// To stay connected; peripherals that wait longer go first.
    case background
    /// A session that is due and ends by itself.
    case session
    /// A request that waits for its response.
    case command

    package static func < (left: ConnectionPriority, right: ConnectionPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}

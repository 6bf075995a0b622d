/// The rules for a message while it waits for the broker.
package struct QueuePolicy: Hashable, Sendable {
    /// The messages of one topic that wait.
    package enum Order: Hashable, Sendable {
        /// The newest message only: for states.
        case latest
        /// Each message, in order: for events, recorded readings and responses.
        case each
        /// Each message, but only while there is a connection: for values that are worthless later.
        case whileConnected
    }

    package let order: Order
    /// Whether the message must not be lost: the client hands it over before it would drop it (`Event.kept`).
    package let isKept: Bool

    package init(_ order: Order, isKept: Bool = false) {
        self.order = order
        self.isKept = isKept
    }

    package static let latest = QueuePolicy(.latest)
    package static let each = QueuePolicy(.each)
    package static let whileConnected = QueuePolicy(.whileConnected)
}

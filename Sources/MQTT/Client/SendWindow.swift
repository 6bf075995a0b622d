/// The maximum number of messages in flight at a time: the smaller of the configured and the broker's maximum.
struct SendWindow {
    private let most: Int
    /// The current limit.
    private(set) var size: Int

    /// - Parameter most: The configured maximum.
    init(most: UInt16) {
        self.most = Int(most)
        size = Int(most)
    }

    /// Sets the limit for a new connection.
    ///
    /// - Parameter receiveMaximum: The broker's maximum; nil: no limit.
    mutating func open(receiveMaximum: UInt16?) {
        size = min(most, Int(receiveMaximum ?? .max))
    }
}

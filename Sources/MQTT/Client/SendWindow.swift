/// The maximum number of messages in flight at a time.
///
/// The maximum is the smaller of the configured maximum and the broker's maximum. It is 1 while there is a suspect
/// (`SuspectMessage`).
struct SendWindow {
    private let most: Int
    private var widest: Int
    /// The current limit.
    private(set) var size: Int

    /// - Parameter most: The configured maximum.
    init(most: UInt16) {
        self.most = Int(most)
        widest = Int(most)
        size = widest
    }

    /// Sets the limit for a new connection.
    ///
    /// - Parameters:
    ///   - receiveMaximum: The broker's maximum; nil: no limit.
    ///   - isSingle: Whether the limit is 1 until `widen()`.
    mutating func open(receiveMaximum: UInt16?, isSingle: Bool) {
        widest = min(most, Int(receiveMaximum ?? .max))
        size = isSingle ? 1 : widest
    }

    /// Sets the limit to the maximum that the broker and the configuration allow.
    mutating func widen() {
        size = widest
    }
}

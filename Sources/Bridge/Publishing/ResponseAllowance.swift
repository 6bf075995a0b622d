/// The bytes of the responses that the broker has not accepted.
///
/// Each request reserves room for its response before it is carried out, so that the queue for the broker, which drops
/// old messages, keeps every response. A broker that delivers requests and accepts no responses could otherwise fill the
/// memory.
final class ResponseAllowance: @unchecked Sendable {
    /// The maximum size of the responses in bytes: half of the queue for the broker.
    static let limit = 4 << 20
    /// The room in bytes that each request reserves.
    static let smallest = 1 << 10

    // Used only on the thread of the event loop.
    private var used = 0

    /// Reserves room for a response, until the returned object is released.
    ///
    /// - Returns: The room; nil if the other responses leave too little.
    func reserve() -> Room? { admit(Self.smallest) ? Room(Self.smallest, of: self) : nil }

    /// The reason why no room was reserved for a request.
    static let refusal = "the responses that the broker has not accepted have \(limit >> 20) MiB: try again later"

    private func admit(_ size: Int) -> Bool {
        guard used + size <= Self.limit else { return false }
        used += size
        return true
    }

    /// The room of one response.
    final class Room: @unchecked Sendable {
        // Used only on the thread of the event loop.
        private var size: Int
        private let allowance: ResponseAllowance

        fileprivate init(_ size: Int, of allowance: ResponseAllowance) {
            self.size = size
            self.allowance = allowance
        }

        deinit { allowance.used -= size }

        /// Enlarges the room for a response of a size in bytes.
        ///
        /// - Returns: Whether the other responses leave enough room.
        func grow(to newSize: Int) -> Bool {
            guard newSize > size else { return true }
            guard allowance.admit(newSize - size) else { return false }
            size = newSize
            return true
        }
    }
}

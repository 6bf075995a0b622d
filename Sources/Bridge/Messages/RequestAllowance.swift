import EventLoop

/// The bytes of all requests that have not been answered.
///
/// A request occupies about eight times its size until its response; without a limit, requests to absent devices could
/// fill the memory.
final class RequestAllowance: @unchecked Sendable {
    /// The maximum size of the payloads of all waiting requests, in bytes.
    static let limit = 1 << 20

    // Used only on the thread of the event loop.
    private var used = 0

    /// Reserves space for a request until the returned reservation is released.
    ///
    /// - Parameter size: The size of the payload, in bytes.
    /// - Returns: The reservation; nil if the other requests leave too little space.
    func reserve(_ size: Int) -> Reservation? {
        guard used + size <= Self.limit else { return nil }
        used += size
        return Reservation(size, of: self)
    }

    /// The space of one request, which becomes free with the last reference.
    final class Reservation: Sendable {
        private let size: Int
        private let allowance: RequestAllowance

        fileprivate init(_ size: Int, of allowance: RequestAllowance) {
            self.size = size
            self.allowance = allowance
        }

        deinit { allowance.used -= size }
    }
}

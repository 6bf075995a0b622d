/// The requests that are still answered while the gateway stops.
///
/// An answer takes up to milliseconds. With requests that arrive faster than the gateway answers them, a stop would last
/// longer than the time limit of the service manager. The requests after the limit are ignored, like requests to a
/// gateway that has stopped.
struct LastRequests {
    /// The size of the requests that are answered after the stop has begun, in bytes.
    static let limit = 256 << 10
    /// The size that is added to that of each payload, for the topic and the response.
    private static let overhead = 256

    /// The size that is left, in bytes; nil while the gateway runs.
    private var rest: Int?

    /// Notes that the gateway stops.
    mutating func begin() {
        rest = Self.limit
    }

    /// Counts a request.
    ///
    /// - Parameter size: the size of its payload, in bytes.
    /// - Returns: Whether the request is answered.
    mutating func admit(_ size: Int) -> Bool {
        guard let rest else { return true }
        // A request that exceeds the limit also ends it: the requests keep their order.
        self.rest = max(0, rest - size - Self.overhead)
        return rest >= size + Self.overhead
    }
}

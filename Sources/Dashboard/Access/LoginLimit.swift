import System

/// Limits wrong passwords: 5 per minute from an address, 20 in all.
struct LoginLimit {
    private static let mostOfAddress = 5
    private static let mostInAll = 20
    private static let period = Duration.seconds(60)

    /// The wrong passwords of the last minute, oldest first: `mostInAll` at most.
    private var failures: [(client: [UInt8], time: Instant)] = []

    /// Returns how long a client must wait before it may send another password; nil if it may send one now.
    mutating func wait(of client: IPAddress?, at now: Instant) -> Duration? {
        failures.removeAll { $0.time + Self.period <= now }
        let key = Self.key(of: client)
        let own = failures.filter { $0.client == key }
        if failures.count >= Self.mostInAll {
            return failures[failures.count - Self.mostInAll].time + Self.period - now
        }
        guard own.count >= Self.mostOfAddress else { return nil }
        return own[own.count - Self.mostOfAddress].time + Self.period - now
    }

    mutating func failed(_ client: IPAddress?, at now: Instant) {
        failures.append((Self.key(of: client), now))
    }

    /// One customer has all IPv6 addresses with the same first 64 bits.
    private static func key(of client: IPAddress?) -> [UInt8] {
        Array(client?.bytes.prefix(8) ?? [])
    }
}

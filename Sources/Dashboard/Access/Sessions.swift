import System

/// The sessions of browsers that have sent the password: 16 at most, each for 30 days after its last request.
struct Sessions {
    static let longestIdleTime = Duration.seconds(30 * 86_400)
    private static let most = 16

    private var lastUses: [String: Instant] = [:]

    /// Starts a session, and returns its token of 256 random bits; the session that was idle for the longest time makes room.
    mutating func start(at now: Instant) -> String {
        if lastUses.count >= Self.most, let oldest = lastUses.min(by: { $0.value < $1.value }) {
            lastUses[oldest.key] = nil
        }
        var random = SystemRandomNumberGenerator()
        let token = (0..<4).map { _ in Self.hexadecimal(random.next()) }.joined()
        lastUses[token] = now
        return token
    }

    /// Returns whether a session exists, which counts as its use.
    mutating func use(_ token: String, at now: Instant) -> Bool {
        guard let last = lastUses[token] else { return false }
        guard last + Self.longestIdleTime > now else {
            lastUses[token] = nil
            return false
        }
        lastUses[token] = now
        return true
    }

    mutating func end(_ token: String) {
        lastUses[token] = nil
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

package import System

/// The names of requests: all gateways give the same name to the same message of a client.
///
/// A name is the fingerprint of the message and the number of equal messages shortly before it, such as `5ad1.2`. A gateway
/// that has just started takes the number from the reports and decisions of the others.
package struct RequestNames: Sendable {
    /// The time after which an equal message has the number 0 again.
    ///
    /// It is shorter than the memory for answered requests. It is no period that people choose: otherwise two gateways would
    /// disagree about a message at its end.
    static let memory = Duration.seconds(173)

    private struct Series {
        var number: Int
        var last: Instant
    }

    private var series: [String: Series] = [:]

    package init() {}

    /// Returns the name of a message that has arrived.
    ///
    /// - Parameters:
    ///   - fingerprint: The fingerprint of the message.
    ///   - isDuplicate: Whether the broker may have delivered the same message before (MQTT 5, 3.3.1.1).
    ///   - known: The greatest number in the messages of other gateways; nil: there is none.
    ///   - now: The current time.
    /// - Returns: The name.
    package mutating func name(
        _ fingerprint: String, isDuplicate: Bool, known: (String) -> Int?, at now: Instant
    ) -> String {
        series = series.filter { now - $0.value.last < Self.memory }
        let number: Int
        if let own = series[fingerprint]?.number {
            number = isDuplicate ? own : own + 1
        } else {
            number = known(fingerprint).map { isDuplicate ? $0 : $0 + 1 } ?? 0
        }
        series[fingerprint] = Series(number: number, last: now)
        return "\(fingerprint).\(number)"
    }

    /// Returns the greatest number among the names of requests with a fingerprint; nil: there is none.
    static func greatestNumber(of fingerprint: String, among names: some Sequence<String>) -> Int? {
        names.lazy.filter { $0.hasPrefix(fingerprint + ".") }.compactMap { Int($0.dropFirst(fingerprint.count + 1)) }
            .max()
    }
}

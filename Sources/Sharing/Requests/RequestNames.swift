package import System

/// The names of requests: all gateways give the same name to the same message of a client.
///
/// A name is the fingerprint of the message and the number of equal messages shortly before it, such as `5ad1.2`. A gateway
/// that has just started takes the number from the reports and decisions of the others.
///
/// In a cluster of brokers, a report about a message can arrive before the message. A name that has just become known is
/// therefore the name of the next equal message: with another name, the request would be carried out twice.
package struct RequestNames: Sendable {
    /// The numbers in the names of requests with one fingerprint, according to reports and decisions of other gateways.
    package struct Known: Equatable, Sendable {
        let greatest: Int
        /// The smallest number that has become known within `delay`; nil: all have been known for longer.
        let recent: Int?

        package init(greatest: Int, recent: Int?) {
            self.greatest = greatest
            self.recent = recent
        }
    }

    /// The time within which all gateways receive a message of a client.
    static let delay = Duration.seconds(10)
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
    ///   - known: Returns the numbers in the messages of other gateways; nil: there are none.
    ///   - now: The current time.
    /// - Returns: The name.
    package mutating func name(
        _ fingerprint: String, isDuplicate: Bool, known: (String) -> Known?, at now: Instant
    ) -> String {
        series = series.filter { now - $0.value.last < Self.memory }
        let number: Int
        if let own = series[fingerprint]?.number {
            number = isDuplicate ? own : own + 1
        } else {
            number = known(fingerprint).map { isDuplicate ? $0.greatest : $0.recent ?? $0.greatest + 1 } ?? 0
        }
        series[fingerprint] = Series(number: number, last: now)
        return "\(fingerprint).\(number)"
    }

    /// Returns the numbers in the names of known requests with a fingerprint; nil: there are none.
    ///
    /// - Parameters:
    ///   - fingerprint: The fingerprint.
    ///   - requests: The names of all known requests, and since when each is known; nil: for longer than `delay`.
    ///   - now: The current time.
    /// - Returns: The numbers.
    static func numbers(
        of fingerprint: String, among requests: some Sequence<(name: String, since: Instant?)>, at now: Instant
    ) -> Known? {
        let equal = requests.lazy.filter { $0.name.hasPrefix(fingerprint + ".") }.compactMap { request in
            Int(request.name.dropFirst(fingerprint.count + 1)).map { (number: $0, since: request.since) }
        }
        guard let greatest = equal.map(\.number).max() else { return nil }
        let recent = equal.filter { $0.since.map { now - $0 < delay } ?? false }.map(\.number).min()
        return Known(greatest: greatest, recent: recent)
    }
}

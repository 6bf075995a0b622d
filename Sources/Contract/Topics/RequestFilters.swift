package import MQTT

/// The filters of the subscriptions with which a gateway receives its requests.
///
/// Their number depends on the number of levels in the names, not on the number of devices: some brokers allow 50
/// subscriptions (AWS IoT). Requests to the devices of other gateways match them too.
package struct RequestFilters: Equatable, Sendable {
    /// The filters of requests.
    package private(set) var requests: Set<TopicFilter> = []
    /// The filters of requests without a level of their topic, such as `PREFIX/DEVICE/set` and
    /// `PREFIX/bridge/request/scan`, with levels in another order, such as `PREFIX/DEVICE/set/NAME`, with the name of a
    /// field, such as `PREFIX/DEVICE/NAME/FIELD/set`, or with the word `command`.
    package private(set) var misplaced: Set<TopicFilter> = []

    /// All filters.
    package var all: Set<TopicFilter> { requests.union(misplaced) }

    /// The maximum number of filters of misplaced requests.
    private static let mostMisplaced = 12

    package init() {}

    /// Returns whether a topic matches several filters: a broker may deliver a message once for each (MQTT 5, 3.3.4).
    ///
    /// No topic of a valid request does.
    package func overlap(at topic: Topic) -> Bool {
        all.count { $0.matches(topic) } > 1
    }

    /// Adds a filter of requests.
    fileprivate mutating func add(_ text: String) {
        if let filter = try? TopicFilter(text) { requests.insert(filter) }
    }

    /// Adds a filter of misplaced requests, unless it is one of requests or there are too many.
    fileprivate mutating func add(misplaced text: String) {
        guard misplaced.count < Self.mostMisplaced, let filter = try? TopicFilter(text), !requests.contains(filter)
        else {
            return
        }
        misplaced.insert(filter)
    }
}

extension Topics {
    /// Returns the filters of all requests to the gateway and to its devices.
    ///
    /// They also match unknown names and verbs, because such requests get a response too.
    ///
    /// - Parameter devices: the names of the characteristics, by the name of the device.
    /// - Returns: The filters.
    package func requestFilters(for devices: [String: [String]]) -> RequestFilters {
        /// The numbers of levels of the names of devices, and of such a name with that of a characteristic.
        var (deviceLevels, valueLevels): (Set<Int>, Set<Int>) = ([], [])
        var namesOperation = false
        for (device, names) in devices {
            let count = Self.levelCount(device)
            deviceLevels.insert(count)
            valueLevels.insert(count + 1)
            for name in names where name.utf8.contains(Self.slash) { valueLevels.insert(count + Self.levelCount(name)) }
            namesOperation = namesOperation || ([device] + names).contains(where: Self.hasOperation)
        }
        var filters = RequestFilters()
        for count in deviceLevels { filters.add("\(wildcards(count))/\(DeviceTopicGroup.request.name("#"))") }
        for count in valueLevels {
            for group in Self.operations { filters.add("\(wildcards(count))/\(group.rawValue)") }
        }
        addGatewayRequests(to: &filters, deviceLevels)
        for count in deviceLevels.sorted() {
            for group in Self.operations { filters.add(misplaced: "\(wildcards(count))/\(group.rawValue)") }
            // They would match the requests to a characteristic with the name `set`.
            guard !namesOperation else { continue }
            for group in Self.operations { filters.add(misplaced: "\(wildcards(count))/\(group.rawValue)/+") }
        }
        // Not `read` and `write`: `request/read` would match `PREFIX/DEVICE/NAME/read` too.
        for count in valueLevels.sorted() {
            filters.add(misplaced: "\(wildcards(count + 1))/\(DeviceTopicGroup.set.rawValue)")
            filters.add(misplaced: "\(wildcards(count))/command")
        }
        return filters
    }

    /// Adds the filters of requests to the gateway; those of devices with two levels match such a request already, and those
    /// of devices with one level match a request without the name of the gateway.
    private func addGatewayRequests(to filters: inout RequestFilters, _ deviceLevels: Set<Int>) {
        let requests = GatewayTopicGroup.request.name("#")
        let matching = answersNamelessRequests ? [2] : [1, 2]
        if deviceLevels.isDisjoint(with: matching) { filters.add("\(prefix)/\(Self.name(requests, of: gateway))") }
        // The topics of a gateway with the name `request` would match.
        if !deviceLevels.contains(1), answersNamelessRequests {
            filters.add(misplaced: "\(prefix)/\(Self.gatewayLevel)/\(requests)")
        }
    }

    /// Whether requests without the name of a gateway get a response; not if topics of this gateway look like them.
    var answersNamelessRequests: Bool { gateway != GatewayTopicGroup.request.rawValue }

    private static let operations = [DeviceTopicGroup.get, .set]

    /// Returns the prefix with a number of levels of any name.
    private func wildcards(_ count: Int) -> String { prefix + String(repeating: "/+", count: count) }

    private static func levelCount(_ name: String) -> Int { name.utf8.count { $0 == slash } + 1 }

    /// Returns whether a level of a name is `get` or `set`.
    private static func hasOperation(_ name: String) -> Bool {
        name.utf8.split(separator: slash, omittingEmptySubsequences: false).contains { level in
            operations.contains { level.elementsEqual($0.rawValue.utf8) }
        }
    }
}

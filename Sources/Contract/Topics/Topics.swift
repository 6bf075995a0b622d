package import MQTT

/// The topics of one gateway and its devices.
package struct Topics: Sendable {
    package let prefix: String
    private let gateway: String

    package init(prefix: String, gateway: String) {
        self.prefix = prefix
        self.gateway = gateway
    }

    /// Returns a topic of the gateway: `state`, `info`, `health`, `event`, `request/…` or `response/…`.
    package func bridge(_ name: String) throws(TopicError) -> Topic {
        try Topic("\(prefix)/bridge/\(gateway)/\(name)")
    }

    /// Returns the part of a late topic after `late/`: `event`, or the name of the device and of the reading.
    package func lateName(of topic: Topic) -> String {
        let text = topic.description
        let ownEvents = "\(prefix)/bridge/\(gateway)/"
        if text.hasPrefix(ownEvents) { return String(text.dropFirst(ownEvents.count)) }
        return text.hasPrefix("\(prefix)/") ? String(text.dropFirst(prefix.count + 1)) : text
    }

    /// Returns a topic of a device, such as `availability`, `temperature` or `response/read`.
    package func device(_ device: String, _ name: String) throws(TopicError) -> Topic {
        try Topic("\(prefix)/\(device)/\(name)")
    }

    /// Returns the topic of the response to a request without a Response Topic.
    package func response(to address: RequestAddress) throws(TopicError) -> Topic {
        switch address {
        case .bridge(let verb): try bridge("response/\(verb)")
        case .device(let device, let verb): try self.device(device, "response/\(verb)")
        case .get(let device, _): try self.device(device, "response/get")
        case .set(let device, _): try self.device(device, "response/set")
        }
    }

    /// Returns the filters of all requests to the gateway.
    package func bridgeRequests() throws(TopicError) -> [TopicFilter] {
        [try TopicFilter("\(prefix)/bridge/\(gateway)/request/#")]
    }

    /// Returns the filters of all requests to the given devices; each request matches exactly one filter.
    ///
    /// A broker may deliver a message once for each matching filter (MQTT 5, 3.3.4), so the filters do not overlap.
    ///
    /// - Parameter devices: the names of the characteristics, by the name of the device.
    /// - Returns: The filters.
    package func requests(to devices: [String: [String]]) -> Set<TopicFilter> {
        // The filters also match unknown names and verbs, because such requests get a response too.
        let patterns = devices.keys.flatMap { ["\($0)/+/+", "\($0)/request/+/+/#"] }
        var filters = Set(patterns.compactMap { try? TopicFilter("\(prefix)/\($0)") })
        for (device, names) in devices {
            for name in names where name.utf8.contains(Self.slash) {
                for topic in ["get", "set"].compactMap({ try? self.device(device, "\(name)/\($0)") })
                // The filter a/b/+/+ of a device a/b also matches b/c of the device a.
                where !filters.contains(where: { $0.matches(topic) }) {
                    filters.insert(TopicFilter(topic))
                }
            }
        }
        return filters
    }

    /// Returns the address of a request.
    ///
    /// - Parameters:
    ///   - topic: the topic of the message.
    ///   - names: returns the names of the characteristics of a device; nil if there is no such device.
    /// - Returns: The address; nil if the topic is not a topic of a request.
    package func address(of topic: Topic, _ names: (String) -> [String]?) -> RequestAddress? {
        // Topics are compared by bytes, as brokers do: in Swift a slash with a combining accent is another character.
        let text = topic.description.utf8
        let own = "\(prefix)/bridge/\(gateway)/request/".utf8
        if text.starts(with: own) { return .bridge(verb: String(Substring(text.dropFirst(own.count)))) }
        guard text.starts(with: "\(prefix)/".utf8) else { return nil }
        let levels = text.dropFirst(prefix.utf8.count + 1)
            .split(separator: Self.slash, omittingEmptySubsequences: false).map { Substring($0) }
        // No topic of the gateway has this many levels; some brokers allow 128 or 200, others any number.
        guard levels.count <= 256 else { return nil }
        // `a/b/c/get` may mean c of the device a/b, or b/c of the device a.
        var nearest: RequestAddress?
        for count in levels.indices.dropFirst().reversed() {
            let device = levels[..<count].joined(separator: "/")
            guard let names = names(device) else { continue }
            switch RequestAddress(device, levels[count...]) {
            case .get(let device, let name)? where names.contains(name): return .get(device, name)
            case .set(let device, let name)? where names.contains(name): return .set(device, name)
            case let address: nearest = nearest ?? address
            }
        }
        return nearest
    }

    private static let slash = UInt8(ascii: "/")
}

/// The address of a request.
package enum RequestAddress: Equatable, Sendable {
    case bridge(verb: String)
    case device(String, verb: String)
    case get(String, String)
    case set(String, String)

    /// The name of the device; nil for a request to the gateway.
    package var device: String? {
        switch self {
        case .bridge: nil
        case .device(let device, _), .get(let device, _), .set(let device, _): device
        }
    }

    /// - Parameters:
    ///   - device: the name of the device.
    ///   - levels: the levels after the device's name.
    fileprivate init?(_ device: String, _ levels: ArraySlice<Substring>) {
        guard let first = levels.first, let last = levels.last, levels.count > 1 else { return nil }
        switch (first, last) {
        // Responses come from the gateway itself; a response to them would cause an endless loop.
        case ("response", _): return nil
        case ("request", _): self = .device(device, verb: levels.dropFirst().joined(separator: "/"))
        case (_, "get"): self = .get(device, levels.dropLast().joined(separator: "/"))
        case (_, "set"): self = .set(device, levels.dropLast().joined(separator: "/"))
        default: return nil
        }
    }
}

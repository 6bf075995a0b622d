internal import MQTT

/// The topics of one gateway (contract, part 3).
struct Topics: Sendable {
    private let prefix: String
    private let gateway: String

    init(prefix: String, gateway: String) {
        self.prefix = prefix
        self.gateway = gateway
    }

    /// One of the gateway's own topics: `state`, `info`, `health`, `event`, `request/…`, `response/…`.
    func bridge(_ name: String) throws(TopicError) -> Topic {
        try Topic("\(prefix)/bridge/\(gateway)/\(name)")
    }

    /// A topic of a device: `availability`, `temperature`, `response/read`.
    func device(_ device: String, _ name: String) throws(TopicError) -> Topic {
        try Topic("\(prefix)/\(device)/\(name)")
    }

    /// Where a request is answered that names no other topic.
    func response(to address: RequestAddress) throws(TopicError) -> Topic {
        switch address {
        case .bridge(let verb): try bridge("response/\(verb)")
        case .device(let device, let verb): try self.device(device, "response/\(verb)")
        case .get(let device, _): try self.device(device, "response/get")
        case .set(let device, _): try self.device(device, "response/set")
        }
    }

    /// What asks for all requests to the gateway.
    func bridgeRequests() throws(TopicError) -> [TopicFilter] {
        [try TopicFilter("\(prefix)/bridge/\(gateway)/request/#")]
    }

    /// What asks for all requests to these devices: each of them comes once.
    ///
    /// With MQTT 5 brokers deliver a message as often as filters ask for it (MQTT 5, 3.3.4): no two of these overlap.
    ///
    /// - Parameter devices: the names of their characteristics, by the device's name.
    func requests(to devices: [String: [String]]) -> Set<TopicFilter> {
        // NAME/get, NAME/set and request/VERB; also those for what there is not, which are to be answered too.
        let patterns = devices.keys.flatMap { ["\($0)/+/+", "\($0)/request/+/+/#"] }
        var filters = Set(patterns.compactMap { try? TopicFilter("\(prefix)/\($0)") })
        for (device, names) in devices {
            for name in names where name.utf8.contains(Self.slash) {
                for topic in ["get", "set"].compactMap({ try? self.device(device, "\(name)/\($0)") })
                // Of a device a/b, a/b/+/+ brings b/c of the device a as well.
                where !filters.contains(where: { $0.matches(topic) }) {
                    filters.insert(TopicFilter(topic))
                }
            }
        }
        return filters
    }

    /// What a message that arrived is addressed to.
    ///
    /// - Parameter names: gives the names of a device's characteristics; nil where there is no such device.
    func address(of topic: Topic, _ names: (String) -> [String]?) -> RequestAddress? {
        // Byte by byte, as brokers do: to Swift, a slash and an accent that combines with it are another character.
        let text = topic.description.utf8
        let own = "\(prefix)/bridge/\(gateway)/request/".utf8
        if text.starts(with: own) { return .bridge(verb: String(Substring(text.dropFirst(own.count)))) }
        guard text.starts(with: "\(prefix)/".utf8) else { return nil }
        let levels = text.dropFirst(prefix.utf8.count + 1)
            .split(separator: Self.slash, omittingEmptySubsequences: false).map { Substring($0) }
        // Brokers let 128 or 200 through, if they ask at all; no name of ours has so many.
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

/// To what a request is addressed.
enum RequestAddress: Equatable, Sendable {
    case bridge(verb: String)
    case device(String, verb: String)
    case get(String, String)
    case set(String, String)

    /// - Parameter levels: what follows the device's name.
    fileprivate init?(_ device: String, _ levels: ArraySlice<Substring>) {
        guard let first = levels.first, let last = levels.last, levels.count > 1 else { return nil }
        switch (first, last) {
        // These are our own; answering them would never end.
        case ("response", _): return nil
        case ("request", _): self = .device(device, verb: levels.dropFirst().joined(separator: "/"))
        case (_, "get"): self = .get(device, levels.dropLast().joined(separator: "/"))
        case (_, "set"): self = .set(device, levels.dropLast().joined(separator: "/"))
        default: return nil
        }
    }
}

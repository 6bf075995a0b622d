import Configuration
package import MQTT

/// The topics of one gateway and its devices.
///
/// | type | which question it answers |
/// |---|---|
/// | `Topics` | Which topic has this meaning? What does this topic of a request mean? |
/// | `GatewayTopic` | Which topics does each gateway have exactly once? |
/// | `GatewayTopicGroup` | Which topics of a gateway end with a name? |
/// | `DeviceTopic` | Which topics does each device have exactly once? |
/// | `DeviceTopicGroup` | Which topics of a device contain another name? |
/// | `HomeAssistantTopic` | Which topics belong to Home Assistant's discovery? |
/// | `RequestFilters` | Which subscriptions receive all requests? |
/// | `RequestAddress` | Which device and characteristic, or which verb, is a request for? |
/// | `TopicReference` | What does the documentation say about a topic? |
package struct Topics: Sendable {
    package let prefix: String
    /// The name of the gateway.
    package let gateway: String
    /// The topics that contain no names except the prefix and the gateway's.
    private let gatewayTopics: [GatewayTopic: Topic]

    /// - Throws: `TopicError` if the prefix or the gateway's name cannot be part of a topic.
    package init(prefix: String, gateway: String) throws(TopicError) {
        self.prefix = prefix
        self.gateway = gateway
        var topics: [GatewayTopic: Topic] = [:]
        for topic in GatewayTopic.allCases {
            topics[topic] = try Topic("\(prefix)/\(Self.name(topic.name, of: gateway))")
        }
        gatewayTopics = topics
    }

    /// The first level, after the prefix, of the topics of gateways.
    package static let gatewayLevel = TopicName.gatewayLevel

    /// Returns a topic of a gateway without the prefix: `bridge/GATEWAY/REST`.
    package static func name(_ rest: String, of gateway: String) -> String { "\(gatewayLevel)/\(gateway)/\(rest)" }

    /// The topic of the gateway for one kind of messages.
    package subscript(topic: GatewayTopic) -> Topic {
        guard let topic = gatewayTopics[topic] else { preconditionFailure("the topic \(topic) was not created") }
        return topic
    }

    /// Returns a topic of the gateway that ends with a name, such as `late/greenhouse/temperature`.
    ///
    /// - Throws: `TopicError` if the name cannot be part of a topic.
    package func gateway(_ group: GatewayTopicGroup, _ name: String) throws(TopicError) -> Topic {
        try Topic("\(prefix)/\(Self.name(group.name(name), of: gateway))")
    }

    /// Returns a topic of a device.
    ///
    /// - Throws: `TopicError` if the name of the device cannot be part of a topic.
    package func device(_ device: String, _ topic: DeviceTopic) throws(TopicError) -> Topic {
        try Topic("\(prefix)/\(device)/\(topic.name)")
    }

    /// Returns a topic of a device that contains another name, such as `response/read`.
    ///
    /// - Throws: `TopicError` if the names cannot be part of a topic.
    package func device(_ device: String, _ group: DeviceTopicGroup, _ name: String) throws(TopicError) -> Topic {
        try Topic("\(prefix)/\(device)/\(group.name(name))")
    }

    /// The topics on which the broker retains a message of the gateway itself.
    package var retained: [Topic] {
        GatewayTopic.allCases.filter(\.isRetained).map { self[$0] }
    }

    /// Returns the topics on which the broker retains a message of a device, in addition to its readings.
    package func retained(of device: String) -> [Topic] {
        DeviceTopic.allCases.filter(\.isRetained).compactMap { try? self.device(device, $0) }
    }

    /// Returns the part of a late topic after `late/`: `event`, or the name of the device and of the reading.
    package func lateName(of topic: Topic) -> String {
        let text = topic.description
        let ownEvents = "\(prefix)/\(Self.name("", of: gateway))"
        if text.hasPrefix(ownEvents) { return String(text.dropFirst(ownEvents.count)) }
        return text.hasPrefix("\(prefix)/") ? String(text.dropFirst(prefix.count + 1)) : text
    }

    /// Returns the topic of the response to a request without a Response Topic.
    package func response(to address: RequestAddress) throws(TopicError) -> Topic {
        switch address {
        case .bridge(let verb): try gateway(.response, verb)
        case .device(let device, let verb): try self.device(device, .response, verb)
        case .get(let device, _): try self.device(device, .response, DeviceTopicGroup.get.rawValue)
        case .set(let device, _): try self.device(device, .response, DeviceTopicGroup.set.rawValue)
        }
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
        let own = "\(prefix)/\(Self.name(GatewayTopicGroup.request.name(""), of: gateway))".utf8
        if text.starts(with: own) { return .bridge(verb: String(Substring(text.dropFirst(own.count)))) }
        guard let levels = levels(of: topic) else { return nil }
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

    /// Returns the filter of a topic of all gateways.
    package func filter(ofAllGateways topic: GatewayTopic) -> TopicFilter? {
        try? TopicFilter("\(prefix)/\(Self.name(topic.name, of: "+"))")
    }

    /// Returns the gateway of a topic, which can be another gateway, and the kind of the topic.
    ///
    /// - Returns: nil if the topic is not one of a gateway.
    package func source(of topic: Topic) -> (gateway: String, kind: GatewayTopic)? {
        guard let levels = levels(of: topic), levels.count >= 3, levels[0] == Self.gatewayLevel,
            let kind = GatewayTopic(rawValue: levels[2...].joined(separator: "/"))
        else { return nil }
        return (String(levels[1]), kind)
    }

    /// Returns the levels of a topic after the prefix; nil if the topic has another prefix or too many levels.
    func levels(of topic: Topic) -> [Substring]? {
        let text = topic.description.utf8
        guard text.starts(with: "\(prefix)/".utf8) else { return nil }
        let levels = text.dropFirst(prefix.utf8.count + 1)
            .split(separator: Self.slash, omittingEmptySubsequences: false).map { Substring($0) }
        // No topic of the gateway has this many levels; some brokers allow 128 or 200, others any number.
        return levels.count <= 256 ? levels : nil
    }

    static let slash = UInt8(ascii: "/")
}

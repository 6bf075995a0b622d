import Contract

/// The meaning of a topic without the prefix.
enum WorldTopic: Equatable {
    case gateway(String, GatewayTopic)
    /// A late reading: the name of the device and of the reading, not separated yet.
    case late(gateway: String, name: String)
    case lateEvent(gateway: String)
    /// The name of a device and the rest of the topic, not separated yet.
    case device(String)

    /// - Returns: nil for a topic of requests and responses, and for any other topic that is not the contract's.
    init?(_ topic: String) {
        let levels = topic.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { Substring($0) }
        guard levels.count >= 2, levels.count <= 64, levels.allSatisfy({ !$0.isEmpty }) else { return nil }
        guard levels[0] == Topics.gatewayLevel[...] else {
            let isRequest =
                levels.dropFirst().dropLast().contains { Self.requestLevels.contains($0) }
                || levels.count > 2 && Self.requestEnds.contains(levels[levels.count - 1])
            guard !isRequest else { return nil }
            self = .device(topic)
            return
        }
        guard levels.count >= 3 else { return nil }
        let (gateway, rest) = (String(levels[1]), levels[2...].joined(separator: "/"))
        let late = GatewayTopicGroup.late.name("")
        if let kind = GatewayTopic(rawValue: rest) {
            self = .gateway(gateway, kind)
        } else if rest == late + GatewayTopic.event.name {
            self = .lateEvent(gateway: gateway)
        } else if rest.hasPrefix(late) {
            self = .late(gateway: gateway, name: String(rest.dropFirst(late.count)))
        } else {
            return nil
        }
    }

    private static let requestLevels: Set<Substring> = [
        Substring(DeviceTopicGroup.request.rawValue), Substring(DeviceTopicGroup.response.rawValue),
    ]
    private static let requestEnds: Set<Substring> = [
        Substring(DeviceTopicGroup.get.rawValue), Substring(DeviceTopicGroup.set.rawValue),
    ]
}

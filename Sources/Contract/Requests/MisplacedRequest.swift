import Codec
package import MQTT

/// A message on a topic that looks like the topic of a request, but is none: a level is missing, or in another place.
package struct MisplacedRequest: Equatable, Sendable {
    /// The request that the topic resembles: it determines the topic of the response.
    package let address: RequestAddress
    /// The reason of the failure, with the right topic.
    package let error: RequestError
}

extension Topics {
    /// Returns what is wrong with the topic of a message that is no request.
    ///
    /// - Parameters:
    ///   - topic: the topic of the message.
    ///   - names: returns the names of the characteristics of a device; nil if there is no such device.
    /// - Returns: The mistake; nil if the topic has no name of this gateway, or does not resemble a request.
    package func misplacedRequest(on topic: Topic, _ names: (String) -> [String]?) -> MisplacedRequest? {
        guard let levels = levels(of: topic) else { return nil }
        if levels.first == Self.gatewayLevel[...] { return requestWithoutGateway(topic, levels.dropFirst()) }
        for count in levels.indices.reversed() where count > 0 {
            let device = levels[..<count].joined(separator: "/")
            guard let names = names(device) else { continue }
            return misplacedRequest(topic, to: device, levels[count...], names)
        }
        return nil
    }

    /// Returns the mistake in the topic of a request to a gateway.
    ///
    /// - Parameters:
    ///   - topic: the topic of the message.
    ///   - levels: the levels after `PREFIX/bridge`.
    /// - Returns: The mistake; nil if the topic does not resemble a request.
    private func requestWithoutGateway(_ topic: Topic, _ levels: ArraySlice<Substring>) -> MisplacedRequest? {
        guard levels.first == GatewayTopicGroup.request.rawValue[...], answersNamelessRequests else { return nil }
        let verb = levels.dropFirst().joined(separator: "/")
        // The states of a gateway with the name `request` have such topics too.
        guard !verb.isEmpty, GatewayCommand.Verb(rawValue: verb) != nil || GatewayTopic(rawValue: verb) == nil else {
            return nil
        }
        let right = "\(prefix)/\(Self.name(GatewayTopicGroup.request.name(verb), of: gateway))"
        return MisplacedRequest(
            address: .bridge(verb: verb),
            error: RequestError(
                .unknownVerb,
                "\(topic.description.shortened): the topic lacks the name of the gateway: publish on \(right.shortened)"
            ))
    }

    /// Returns the mistake in the topic of a request to a device.
    ///
    /// - Parameters:
    ///   - topic: the topic of the message.
    ///   - device: the name of the device.
    ///   - levels: the levels after the name of the device.
    ///   - names: the names of the characteristics.
    /// - Returns: The mistake; nil if the topic does not resemble a request.
    private func misplacedRequest(
        _ topic: Topic, to device: String, _ levels: ArraySlice<Substring>, _ names: [String]
    ) -> MisplacedRequest? {
        let topics = Set(DeviceTopic.allCases.map(\.name) + [DeviceTopicGroup.response.rawValue])
        guard let first = levels.first, let last = levels.last, !topics.contains(String(first)),
            !names.contains(levels.joined(separator: "/"))
        else { return nil }
        if levels.count == 1 {
            return Operation(first).map { operation in
                let list = names.isEmpty ? "" : ", where NAME is \(names.formatted)"
                return misplaced(topic, to: device, operation, "NAME", "lacks the characteristic", list)
            }
        }
        let (start, end) = (levels.dropLast().joined(separator: "/"), levels.dropFirst().joined(separator: "/"))
        if names.contains(start), let operation = Operation(last) {
            return misplaced(topic, to: device, operation, start, "is not one of a request")
        }
        if names.contains(end), let operation = Operation(first) {
            return misplaced(topic, to: device, operation, end, "is not one of a request")
        }
        return nil
    }

    private func misplaced(
        _ topic: Topic, to device: String, _ operation: Operation, _ name: String, _ problem: String,
        _ list: String = ""
    ) -> MisplacedRequest {
        let right = "\(prefix)/\(device)/\(operation.group.name(name))"
        return MisplacedRequest(
            address: operation == .get ? .get(device, name) : .set(device, name),
            error: RequestError(
                .unknownVerb,
                "\(topic.description.shortened): the topic \(problem): publish on \(right.shortened)\(list)"))
    }

    /// The purpose of a request to a characteristic, by the last level of a topic.
    private enum Operation {
        case get, set

        init?(_ level: Substring) {
            switch level.lowercased() {
            case "get", "read": self = .get
            case "set", "write", "command", "cmnd": self = .set
            default: return nil
            }
        }

        var group: DeviceTopicGroup { self == .get ? .get : .set }
    }
}

extension [String] {
    /// The first names of a list, for a message.
    fileprivate var formatted: String {
        let most = 8
        let rest = count > most ? " and \(count - most) more" : ""
        return prefix(most).map(\.shortened).joined(separator: ", ") + rest
    }
}

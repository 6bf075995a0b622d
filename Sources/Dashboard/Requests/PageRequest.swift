package import Contract
import Configuration
package import JSON

/// A request of the page, translated to a request over MQTT.
package struct PageRequest: Sendable {
    /// The topic of the request without the prefix.
    package let topic: String
    /// The topic of the response without the prefix.
    package let responseTopic: String
    package let verb: String
    /// The value to write, or the parameters of the request, which are an object.
    package let payload: JSON
    /// The transaction of the page; nil: none.
    package let transaction: JSON?
    /// How long the response can take.
    package let limit: Duration
    /// The gateway through which the request pairs a device; nil: it does not.
    package let pairingGateway: String?

    /// The additional time for the way of a response.
    private static let reserve = Duration.seconds(15)
    /// The duration of a request with `for` or `ttl`.
    private static let longest = Duration.seconds(900)
    /// The verbs whose responses have secrets.
    private static let secretVerbs: Set = [GatewayCommand.Verb.backup]

    /// Translates `POST api/request/VERB`.
    ///
    /// - Throws: `RequestError` for an unknown verb, device or gateway, and for a request that the page must not send.
    package init(verb: String, _ body: JSON.Object, in world: World) throws(RequestError) {
        var parameters = body
        if let gateway = try Self.text("gateway", in: body) {
            parameters["gateway"] = nil
            self = try Self.gateway(gateway, verb, parameters, in: world)
        } else if let device = try Self.text("device", in: body), DeviceCommand.Verb(rawValue: verb) != nil {
            parameters["device"] = nil
            self = try Self.device(device, verb, parameters, in: world)
        } else if GatewayCommand.Verb(rawValue: verb) != nil {
            self = try Self.gateway(try Self.onlyGateway(for: body, in: world), verb, parameters, in: world)
        } else {
            let names = DeviceCommand.Verb.allCases.map(\.rawValue) + GatewayCommand.Verb.allCases.map(\.rawValue)
            guard names.contains(verb) else {
                throw RequestError(.unknownVerb, "\(verb.cut(to: 64)): unknown request")
            }
            throw RequestError(.badRequest, "device: missing: add the name of the device")
        }
    }

    /// Translates `POST api/set`.
    ///
    /// - Parameters:
    ///   - body: `device`, `characteristic` and `value`.
    ///   - world: The known devices.
    ///   - canCorrelate: Whether MQTT 5 marks the request; otherwise the transaction must be part of it.
    /// - Throws: `RequestError`.
    package init(set body: JSON.Object, in world: World, canCorrelate: Bool) throws(RequestError) {
        let (device, characteristic) = try Self.characteristic(body, in: world)
        guard let value = body["value"] else {
            throw RequestError(.badRequest, "value: missing: add the value to write")
        }
        if case .object(var object) = value {
            object.add("ttl", body["ttl"])
            let verb = DeviceTopicGroup.set.rawValue
            self.init(topic: DeviceTopicGroup.set.name(characteristic), device, verb, .object(object), body)
        } else if canCorrelate {
            let verb = DeviceTopicGroup.set.rawValue
            self.init(topic: DeviceTopicGroup.set.name(characteristic), device, verb, value, body)
        } else {
            let verb = DeviceCommand.Verb.write.rawValue
            var parameters: JSON.Object = ["characteristic": .string(characteristic), "value": value]
            parameters.add("ttl", body["ttl"])
            self.init(topic: DeviceTopicGroup.request.name(verb), device, verb, .object(parameters), body)
        }
    }

    /// Translates `POST api/get`.
    ///
    /// - Throws: `RequestError`.
    package init(get body: JSON.Object, in world: World) throws(RequestError) {
        let (device, characteristic) = try Self.characteristic(body, in: world)
        var parameters = JSON.Object()
        parameters.add("ttl", body["ttl"])
        self.init(
            topic: DeviceTopicGroup.get.name(characteristic), device, DeviceTopicGroup.get.rawValue,
            .object(parameters), body)
    }

    /// Creates a request to a device; `topic` is the part of the topic after the name of the device.
    private init(topic: String, _ device: String, _ verb: String, _ payload: JSON, _ body: JSON.Object) {
        self.topic = "\(device)/\(topic)"
        responseTopic = "\(device)/\(DeviceTopicGroup.response.name(verb))"
        self.verb = verb
        self.payload = payload
        transaction = body["transaction"]
        limit = Self.limit(of: body)
        pairingGateway = nil
    }

    private init(gateway: String, _ verb: String, _ parameters: JSON.Object) {
        topic = Topics.name(GatewayTopicGroup.request.name(verb), of: gateway)
        responseTopic = Topics.name(GatewayTopicGroup.response.name(verb), of: gateway)
        self.verb = verb
        var payload = parameters
        payload["transaction"] = nil
        self.payload = .object(payload)
        transaction = parameters["transaction"]
        limit = Self.limit(of: parameters)
        pairingGateway = verb == GatewayCommand.Verb.pair.rawValue ? gateway : nil
    }

    private static func gateway(
        _ gateway: String, _ name: String, _ parameters: JSON.Object, in world: World
    ) throws(RequestError) -> PageRequest {
        guard let verb = GatewayCommand.Verb(rawValue: name) else {
            throw RequestError(unknown: name, among: GatewayCommand.Verb.allCases)
        }
        guard world.gatewayNames.contains(gateway) else {
            throw RequestError(.notFound, "\(gateway.cut(to: 64)): no such gateway has published its state")
        }
        guard !secretVerbs.contains(verb) else {
            throw RequestError(.notAllowed, "\(name): the response has secrets: send the request over MQTT")
        }
        return PageRequest(gateway: gateway, name, parameters)
    }

    private static func device(
        _ device: String, _ verb: String, _ parameters: JSON.Object, in world: World
    ) throws(RequestError) -> PageRequest {
        guard world.hasDevice(device) else {
            throw RequestError(unknownDevice: device, among: world.deviceNames)
        }
        var payload = parameters
        payload["transaction"] = nil
        return PageRequest(
            topic: DeviceTopicGroup.request.name(verb), device, verb, .object(payload), parameters)
    }

    /// Returns the gateway of a request that names none: that of its device, or the only one.
    private static func onlyGateway(for body: JSON.Object, in world: World) throws(RequestError) -> String {
        if let device = try text("device", in: body), let gateway = world.gateway(of: device) { return gateway }
        let names = world.gatewayNames
        guard names.count == 1, let name = names.first else {
            let known = names.joined(separator: ", ").cut(to: 256)
            throw RequestError(.badRequest, "gateway: missing: add the name of a gateway: \(known)")
        }
        return name
    }

    private static func characteristic(
        _ body: JSON.Object, in world: World
    ) throws(RequestError) -> (device: String, name: String) {
        let device = try Request.text("device", in: body, example: "greenhouse")
        guard world.hasDevice(device) else {
            throw RequestError(unknownDevice: device, among: world.deviceNames)
        }
        let name = try Request.text("characteristic", in: body, example: "temperature")
        if let problem = TopicName.problem(in: name) { throw RequestError(.badRequest, "characteristic: \(problem)") }
        return (device, name)
    }

    private static func text(_ name: String, in body: JSON.Object) throws(RequestError) -> String? {
        guard let value = body[name], !value.isNull else { return nil }
        guard let text = value.string, !text.isEmpty else { throw RequestError(name, "a text", found: value) }
        return text
    }

    private static func limit(of body: JSON.Object) -> Duration {
        let wanted = ["for", "ttl"].map { name in
            ((try? Request.duration(name, in: body)) ?? nil) ?? Request.standardTimeToLive
        }
        return min(max(wanted[0], wanted[1]) + reserve, longest)
    }
}

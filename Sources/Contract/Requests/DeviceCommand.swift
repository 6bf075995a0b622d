package import Bluetooth
package import Configuration
package import JSON

/// A parsed request to a device.
package enum DeviceCommand: Sendable {
    case read(String)
    /// Sets the value of a characteristic; a newer `set` of the same characteristic replaces a queued `set`, unless it is
    /// another operation (the op code in the value), or lacks a member of the queued value.
    case set(String, JSON, operation: JSON? = nil)
    /// Writes a value; unlike a `set`, a queued write is not replaced by a newer command.
    ///
    /// Without a policy, the configured policy applies.
    case write(String, JSON, Configuration.Characteristic.WritePolicy?)
    case subscribe(String, Bool)
    case connect
    /// Disconnects; with a pause, the device stays disconnected for this time.
    case disconnect(pause: Duration?)
    case collect
    /// Publishes the records in the memory of the device; nil: those of its only history.
    case history(String?)
    case discover
    case rssi
    /// Bonds with the device; clients send this request to the gateway.
    case pair(Passkey?)
    /// Returns all attributes with the values of the readable ones; clients send this request to the gateway.
    case inspect

    /// The verb of a request to a device: the last level of the request topic.
    package enum Verb: String, CaseIterable, Sendable {
        case read, write, subscribe, unsubscribe, connect, disconnect, collect, history, discover, rssi

        /// The advice for verbs that a device does not have.
        fileprivate static let elsewhere: [String: String] = {
            var advice = [
                "get": "publish on PREFIX/DEVICE/NAME/get, or send the request read",
                "set": "publish on PREFIX/DEVICE/NAME/set, or send the request write",
            ]
            for verb in GatewayCommand.Verb.allCases {
                let topic = "PREFIX/bridge/GATEWAY/\(GatewayTopicGroup.request.name(verb.rawValue))"
                advice[verb.rawValue] = "it is a request to the gateway: publish on \(topic)"
            }
            return advice
        }()
    }

    /// Parses a request.
    ///
    /// - Throws: `RequestError`: `unknown_verb`, or `bad_request` for a missing or invalid parameter.
    package init(verb: String, _ parameters: JSON.Object) throws(RequestError) {
        guard let verb = Verb(rawValue: verb) else {
            throw RequestError(unknown: verb, among: Verb.allCases, elsewhere: Verb.elsewhere)
        }
        try Request.checkNames(in: parameters, of: verb.reference)
        switch verb {
        case .read: self = .read(try Self.characteristic(parameters))
        case .write:
            let name = try Self.characteristic(parameters)
            guard let value = parameters["value"] else {
                throw RequestError(
                    .badRequest, "value: missing: add the value to write, such as 1 or {\"hex\": \"0a01\"}")
            }
            self = .write(name, value, try Self.policy(parameters))
        case .subscribe: self = .subscribe(try Self.characteristic(parameters), true)
        case .unsubscribe: self = .subscribe(try Self.characteristic(parameters), false)
        case .connect: self = .connect
        case .disconnect: self = .disconnect(pause: try Request.duration("pause", in: parameters))
        case .collect: self = .collect
        case .history:
            let isNamed = parameters["characteristic"].map { !$0.isNull } ?? false
            self = .history(isNamed ? try Self.characteristic(parameters) : nil)
        case .discover: self = .discover
        case .rssi: self = .rssi
        }
    }

    private static func characteristic(_ parameters: JSON.Object) throws(RequestError) -> String {
        try Request.text("characteristic", in: parameters, example: "temperature")
    }

    private static func policy(
        _ parameters: JSON.Object
    ) throws(RequestError) -> Configuration.Characteristic.WritePolicy? {
        let response = try flag("response", in: parameters)
        guard try flag("reliable", in: parameters) == true else {
            return response.map { $0 ? .withResponse : .withoutResponse }
        }
        if response == false {
            throw RequestError(.badRequest, "response: false: a reliable write has a response: remove \"response\"")
        }
        return .reliable
    }

    private static func flag(_ name: String, in parameters: JSON.Object) throws(RequestError) -> Bool? {
        guard let flag = parameters[name], !flag.isNull else { return nil }
        guard let isSet = flag.bool else {
            throw RequestError(name, "true or false", found: flag)
        }
        return isSet
    }

    /// The name of the characteristic that the command accesses; nil if the command does not name one.
    package var characteristic: String? {
        switch self {
        case .read(let name), .set(let name, _, _), .write(let name, _, _), .subscribe(let name, _): name
        case .history(let name): name
        case .connect, .disconnect, .collect, .discover, .rssi, .inspect, .pair: nil
        }
    }

    /// The value to write; nil if the command does not write.
    package var value: JSON? {
        switch self {
        case .set(_, let value, _), .write(_, let value, _): value
        case .read, .subscribe, .connect, .disconnect, .collect, .history, .discover, .rssi, .inspect, .pair: nil
        }
    }

    /// Whether the command is executed on a connection; if not, it is also accepted while Bluetooth is off.
    package var needsConnection: Bool {
        switch self {
        case .disconnect, .rssi: false
        case .read, .set, .write, .subscribe, .connect, .collect, .history, .discover, .inspect, .pair: true
        }
    }

    package var isPair: Bool {
        if case .pair(_) = self { true } else { false }
    }

    /// Returns whether this command replaces an earlier command that has not been executed.
    package func supersedes(_ earlier: DeviceCommand) -> Bool {
        guard case (.set(let name, let value, let operation), .set(let other, let old, let earlier)) = (self, earlier)
        else { return false }
        return name == other && operation == earlier && Self.replaces(value, old)
    }

    /// Returns whether a value replaces every member of an older value: a member that it lacks keeps its value.
    private static func replaces(_ value: JSON, _ old: JSON) -> Bool {
        // Bytes replace a value as a whole.
        guard let members = value.object, ByteValue(value) == nil else { return true }
        return old.object?.allSatisfy { members[$0.name] != nil } ?? true
    }
}

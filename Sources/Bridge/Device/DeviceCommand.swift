internal import Bluetooth
internal import Configuration
internal import JSON

/// What a request asks of a device (contract, part 4).
enum DeviceCommand: Sendable {
    case read(String)
    /// What a characteristic is to be: only the newest counts.
    case set(String, JSON)
    /// One of the values that a characteristic is to get, each of which counts.
    ///
    /// How it is written; nil: as the configuration says.
    case write(String, JSON, Configuration.Characteristic.WritePolicy?)
    case subscribe(String, Bool)
    case connect
    case disconnect(pause: Duration?)
    case collect
    case discover
    case rssi
    /// Asked of the gateway, for a device.
    case pair(Passkey?)
    /// Everything that the device has, and the values that can be read; asked of the gateway.
    case inspect

    /// - Throws: `RequestError`: `unknown_verb`, or `bad_request` for parameters that are missing or of another kind.
    init(verb: String, _ parameters: JSON.Object) throws(RequestError) {
        switch verb {
        case "read": self = .read(try Self.characteristic(parameters))
        case "write":
            let name = try Self.characteristic(parameters)
            guard let value = parameters["value"] else {
                throw RequestError(.badRequest, "value: missing: it is what to write, such as 1 or {\"hex\": \"0a01\"}")
            }
            self = .write(name, value, try Self.policy(parameters))
        case "subscribe": self = .subscribe(try Self.characteristic(parameters), true)
        case "unsubscribe": self = .subscribe(try Self.characteristic(parameters), false)
        case "connect": self = .connect
        case "disconnect": self = .disconnect(pause: try Request.duration("pause", in: parameters))
        case "collect": self = .collect
        case "discover": self = .discover
        case "rssi": self = .rssi
        default:
            let verbs = "read, write, subscribe, unsubscribe, connect, disconnect, collect, discover, rssi"
            throw RequestError(.unknownVerb, "\(verb): there is no such request; there are \(verbs)")
        }
    }

    private static func characteristic(_ parameters: JSON.Object) throws(RequestError) -> String {
        guard let name = parameters["characteristic"]?.string else {
            throw RequestError(.badRequest, "characteristic: the name of one was expected, such as \"temperature\"")
        }
        return name
    }

    private static func policy(
        _ parameters: JSON.Object
    ) throws(RequestError) -> Configuration.Characteristic.WritePolicy? {
        let response = try flag("response", in: parameters)
        guard try flag("reliable", in: parameters) == true else {
            return response.map { $0 ? .withResponse : .withoutResponse }
        }
        if response == false {
            throw RequestError(.badRequest, "response: false: a reliable write is one with a response")
        }
        return .reliable
    }

    private static func flag(_ name: String, in parameters: JSON.Object) throws(RequestError) -> Bool? {
        guard let flag = parameters[name], !flag.isNull else { return nil }
        guard let isSet = flag.bool else {
            throw RequestError(.badRequest, "\(name): true or false was expected")
        }
        return isSet
    }

    /// The characteristic it is about.
    var characteristic: String? {
        switch self {
        case .read(let name), .set(let name, _), .write(let name, _, _), .subscribe(let name, _): name
        case .connect, .disconnect, .collect, .discover, .rssi, .inspect, .pair: nil
        }
    }

    /// What it wants to write.
    var value: JSON? {
        switch self {
        case .set(_, let value), .write(_, let value, _): value
        case .read, .subscribe, .connect, .disconnect, .collect, .discover, .rssi, .inspect, .pair: nil
        }
    }

    var isPair: Bool {
        if case .pair(_) = self { true } else { false }
    }

    /// Whether nothing is left to do of an earlier command once this one is carried out.
    func supersedes(_ earlier: DeviceCommand) -> Bool {
        guard case (.set(let name, _), .set(let other, _)) = (self, earlier) else { return false }
        return name == other
    }
}

internal import Bluetooth
internal import Configuration
internal import JSON
internal import Log

/// What a request asks of the gateway (contract, part 4).
enum GatewayCommand: Sendable {
    case scan(for: Duration)
    case inspect(Address)
    /// With the number that the device shows, where that is known.
    case pair(Partner, Passkey?)
    case unpair(Partner)
    /// A device with the entry that it would have in the file; nil: the one of that name that is in the file.
    case add(String, entry: JSON.Object?)
    case remove(String)
    case rename(String, to: String)
    case reload
    /// Nil only asks.
    case logLevel(Log.Level?)

    /// Whom a bond is made with.
    enum Partner: Sendable {
        case device(String)
        case address(Address)
    }

    /// How long is listened where a request does not say, and how long at most.
    private static let scanTime = Duration.seconds(10)
    private static let longestScanTime = Duration.seconds(600)

    /// - Throws: `RequestError`: `unknown_verb`, or `bad_request` for parameters that are missing or of another kind.
    init(verb: String, _ parameters: JSON.Object) throws(RequestError) {
        switch verb {
        case "scan": self = .scan(for: try Self.scanTime(parameters))
        case "inspect": self = .inspect(try Self.address(parameters))
        case "pair": self = .pair(try Self.partner(parameters), try Self.passkey(parameters))
        case "unpair": self = .unpair(try Self.partner(parameters))
        case "device/add": self = .add(try Self.device(parameters), entry: Self.entry(parameters))
        case "device/remove": self = .remove(try Self.device(parameters))
        case "device/rename":
            self = .rename(
                try Self.device(parameters), to: try Request.text("to", in: parameters, example: "cellar/freezer"))
        case "reload": self = .reload
        case "log_level": self = .logLevel(try Self.level(parameters))
        default:
            let verbs = "scan, inspect, pair, unpair, device/add, device/remove, device/rename, reload, log_level"
            throw RequestError(.unknownVerb, "\(verb): there is no such request; there are \(verbs)")
        }
    }

    private static func device(_ parameters: JSON.Object) throws(RequestError) -> String {
        try Request.text("device", in: parameters, example: "greenhouse")
    }

    private static func scanTime(_ parameters: JSON.Object) throws(RequestError) -> Duration {
        let duration = try Request.duration("for", in: parameters) ?? scanTime
        guard duration > .zero, duration <= longestScanTime else {
            throw RequestError(.badRequest, "for: a duration up to \(longestScanTime.text) was expected, such as 10s")
        }
        return duration
    }

    private static func address(_ parameters: JSON.Object) throws(RequestError) -> Address {
        let text = try Request.text("address", in: parameters, example: "C0:00:00:00:00:01")
        guard let address = Address(text) else {
            throw RequestError(
                .badRequest, "address: an address such as C0:00:00:00:00:01 was expected, found \(JSON.string(text))")
        }
        return address
    }

    private static func partner(_ parameters: JSON.Object) throws(RequestError) -> Partner {
        switch (parameters["device"], parameters["address"]) {
        case (.some, nil): .device(try device(parameters))
        case (nil, .some): .address(try address(parameters))
        default: throw RequestError(.badRequest, "either a device or an address was expected")
        }
    }

    private static func passkey(_ parameters: JSON.Object) throws(RequestError) -> Passkey? {
        guard let value = parameters["passkey"], !value.isNull else { return nil }
        guard let passkey = value.int.flatMap({ Passkey($0) }) ?? value.string.flatMap({ Passkey($0) }) else {
            throw RequestError(.badRequest, "passkey: six digits were expected, such as \"012345\"")
        }
        return passkey
    }

    /// What is left of the parameters when those of every request are taken away.
    private static func entry(_ parameters: JSON.Object) -> JSON.Object? {
        var entry = parameters
        for name in ["device", "transaction", "ttl"] { entry[name] = nil }
        return entry.isEmpty ? nil : entry
    }

    private static func level(_ parameters: JSON.Object) throws(RequestError) -> Log.Level? {
        guard let value = parameters["level"], !value.isNull else { return nil }
        guard let level = value.string.flatMap(Log.Level.init) else {
            let levels = Log.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw RequestError(.badRequest, "level: one of \(levels) was expected")
        }
        return level
    }
}

package import Bluetooth
package import Configuration
package import JSON
import System

/// A request to the gateway: `PREFIX/bridge/GATEWAY/request/VERB`.
package enum GatewayCommand: Sendable {
    /// Scans for a time and returns the devices in range.
    case scan(for: Duration)
    /// Connects to a device and returns its services, characteristics and values.
    case inspect(Partner)
    /// Creates a bond; the passkey is the one that the device shows, or nil if the client does not have it yet.
    case pair(Partner, Passkey?)
    /// Removes a bond.
    case unpair(Partner)
    /// Adds a device; a nil entry restores the removed device of that name.
    case add(String, entry: JSON.Object?)
    /// Removes a device.
    case remove(String)
    /// Renames a device.
    case rename(String, to: String)
    /// Changes options of devices; a null value restores the setting of the configuration.
    case options(OptionsTarget, JSON.Object)
    /// Makes fleet rules with the key `permit` adopt devices for a time.
    case permit(for: Duration)
    /// Loads the configuration file again.
    case reload
    /// Returns the configuration and the state.
    case backup
    /// Returns the state of the messages on the disk; removes them first if `drops` is true.
    case spool(drops: Bool)
    /// Returns the gateways that share devices, and the owners of the devices.
    case fleet
    /// Publishes the lines of the log of at least a level, for a time.
    case log(for: Duration, from: Configuration.LogLevel)
    /// Sets the log level; nil leaves the level unchanged. The response contains the level in both cases.
    case logLevel(Configuration.LogLevel?)

    /// The verbs of the gateway: the part of a request topic after `request/`.
    package enum Verb: String, CaseIterable, Sendable {
        case scan, inspect, pair, unpair
        case add = "device/add"
        case remove = "device/remove"
        case rename = "device/rename"
        case options = "device/options"
        case permit, reload, backup, spool, fleet, log
        case logLevel = "log_level"

        /// The advice for verbs that the gateway does not have.
        fileprivate static let elsewhere = Dictionary(
            uniqueKeysWithValues: DeviceCommand.Verb.allCases.map { verb in
                let topic = "PREFIX/DEVICE/\(DeviceTopicGroup.request.name(verb.rawValue))"
                return (verb.rawValue, "it is a request to a device: publish on \(topic)")
            })
    }

    /// The subject of a request: a managed device by its name, or any peripheral by its address.
    package enum Partner: Sendable {
        case device(String)
        case address(Address)
    }

    /// The duration of a scan if the request does not contain `for`.
    private static let scanTime = Duration.seconds(10)
    /// The time for which the lines of the log are published if the request does not contain `for`.
    private static let usualLogTime = Duration.seconds(600)
    private static let longestLogTime = Duration.seconds(3600)
    /// The time for which fleet rules adopt devices if the request does not contain `for`.
    private static let usualPermitTime = Duration.seconds(600)
    private static let longestPermitTime = Duration.seconds(86_400)
    /// The maximum duration of a scan.
    private static let longestScanTime = Duration.seconds(600)

    /// - Throws: `RequestError`: `unknown_verb`, or `bad_request` for a missing or invalid parameter.
    package init(verb: String, _ parameters: JSON.Object) throws(RequestError) {
        guard let verb = Verb(rawValue: verb) else {
            throw RequestError(unknown: verb, among: Verb.allCases, elsewhere: Verb.elsewhere)
        }
        if verb == .options { try Self.checkPlace(of: parameters) }
        if verb != .add { try Request.checkNames(in: parameters, of: verb.reference) }
        switch verb {
        case .scan: self = .scan(for: try Self.scanTime(parameters))
        case .inspect: self = .inspect(try Self.partner(parameters))
        case .pair: self = .pair(try Self.partner(parameters), try Self.passkey(parameters))
        case .unpair: self = .unpair(try Self.partner(parameters))
        case .add: self = .add(try Self.device(parameters), entry: Self.entry(parameters))
        case .remove: self = .remove(try Self.device(parameters))
        case .rename:
            self = .rename(
                try Self.device(parameters), to: try Request.text("to", in: parameters, example: "cellar/freezer"))
        case .options: self = .options(try OptionsTarget(parameters), try Self.options(parameters))
        case .permit: self = .permit(for: try Self.permitTime(parameters))
        case .reload: self = .reload
        case .backup: self = .backup
        case .spool: self = .spool(drops: try Self.drops(parameters))
        case .fleet: self = .fleet
        case .log: self = .log(for: try Self.logTime(parameters), from: try Self.level(parameters) ?? .info)
        case .logLevel: self = .logLevel(try Self.level(parameters))
        }
    }

    private static func device(_ parameters: JSON.Object) throws(RequestError) -> String {
        try Request.text("device", in: parameters, example: "greenhouse")
    }

    private static func scanTime(_ parameters: JSON.Object) throws(RequestError) -> Duration {
        let duration = try Request.duration("for", in: parameters) ?? scanTime
        guard duration > .zero, duration <= longestScanTime else {
            throw RequestError(
                "for", "a duration up to \(longestScanTime.text)", "10s", found: parameters["for"] ?? .null)
        }
        return duration
    }

    private static func logTime(_ parameters: JSON.Object) throws(RequestError) -> Duration {
        let duration = try Request.duration("for", in: parameters) ?? usualLogTime
        guard duration >= .zero, duration <= longestLogTime else {
            let longest = longestLogTime.text
            throw RequestError("for", "a duration up to \(longest)", "10m", found: parameters["for"] ?? .null)
        }
        return duration
    }

    private static func permitTime(_ parameters: JSON.Object) throws(RequestError) -> Duration {
        let duration = try Request.duration("for", in: parameters) ?? usualPermitTime
        guard duration >= .zero, duration <= longestPermitTime else {
            let longest = longestPermitTime.text
            throw RequestError("for", "a duration up to \(longest)", "10m", found: parameters["for"] ?? .null)
        }
        return duration
    }

    private static func address(_ parameters: JSON.Object) throws(RequestError) -> Address {
        let text = try Request.text("address", in: parameters, example: "C0:00:00:00:00:01")
        guard let address = Address(text) else {
            throw RequestError("address", "an address", "C0:00:00:00:00:01", found: .string(text))
        }
        return address
    }

    private static func partner(_ parameters: JSON.Object) throws(RequestError) -> Partner {
        switch (parameters["device"], parameters["address"]) {
        case (.some, nil): .device(try device(parameters))
        case (nil, .some): .address(try address(parameters))
        case (nil, nil):
            throw RequestError(
                .badRequest,
                #"device: missing: add the device, such as {"device":"greenhouse"} or {"address":"C0:00:00:00:00:01"}"#)
        case (.some, .some):
            throw RequestError(.badRequest, "address: a request has either a device or an address: remove one")
        }
    }

    private static func passkey(_ parameters: JSON.Object) throws(RequestError) -> Passkey? {
        guard let value = parameters["passkey"], !value.isNull else { return nil }
        guard let passkey = value.int.flatMap({ Passkey($0) }) ?? value.string.flatMap({ Passkey($0) }) else {
            // The response must not repeat a secret.
            throw RequestError(.badRequest, "passkey: expected six digits such as \"012345\"")
        }
        return passkey
    }

    /// Returns the entry of a device: all parameters except `device`, `transaction` and `ttl`; nil if it is empty.
    private static func entry(_ parameters: JSON.Object) -> JSON.Object? {
        var entry = parameters
        for name in ["device", "transaction", "ttl"] { entry[name] = nil }
        return entry.isEmpty ? nil : entry
    }

    /// Rejects an option beside the member `options`.
    private static func checkPlace(of parameters: JSON.Object) throws(RequestError) {
        if let stray = Configuration.optionNames.first(where: { parameters[$0] != nil }), let value = parameters[stray]
        {
            let example = JSON.object(["options": .object([stray: value])])
            throw RequestError(.badRequest, "\(stray): write it into the member options: \(example)")
        }
    }

    private static func options(_ parameters: JSON.Object) throws(RequestError) -> JSON.Object {
        guard let value = parameters["options"] else { return [:] }
        guard let options = value.object else {
            throw RequestError("options", #"an object such as {"connect":"every 10m"}"#, found: value)
        }
        return options
    }

    private static func drops(_ parameters: JSON.Object) throws(RequestError) -> Bool {
        guard let value = parameters["drop"], !value.isNull else { return false }
        guard let drops = value.bool else { throw RequestError("drop", "true or false", found: value) }
        return drops
    }

    private static func level(_ parameters: JSON.Object) throws(RequestError) -> Configuration.LogLevel? {
        guard let value = parameters["level"], !value.isNull else { return nil }
        guard let level = value.string.flatMap(Configuration.LogLevel.init) else {
            let levels = Configuration.LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
            throw RequestError("level", "one of \(levels)", found: value)
        }
        return level
    }
}

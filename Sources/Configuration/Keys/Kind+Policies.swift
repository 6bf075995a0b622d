import Codec

extension Kind where Value == Configuration.ConnectPolicy {
    /// `always`, `every DURATION`, `on demand` or `never`.
    static var connect: Kind {
        scalar("always | every DURATION | on demand | never") { text, _ throws(InvalidValue) in
            switch text {
            case "always": return .always
            case "on demand": return .onDemand
            case "never": return .never
            case "every": throw "expected a duration after every, e.g. every 10m"
            case _ where text.hasPrefix("every "):
                return .every(try Duration(positive: String(text.dropFirst("every ".count))))
            case _ where (try? Duration(positive: text)) != nil:
                let found = text.quotedForMessage
                throw "expected always, every 10m, on demand or never, found \(found): did you mean 'every \(text)'?"
            default:
                guard let meant = policiesElsewhere[text.lowercased()] else {
                    throw InvalidValue(expected: ["always", "every 10m", "on demand", "never"], found: text)
                }
                let found = text.quotedForMessage
                throw "expected always, every 10m, on demand or never, found \(found): did you mean '\(meant)'?"
            }
        }
    }
}

/// The policies of a configuration, by words of other programs in lower case.
private let policiesElsewhere = [
    "true": "always", "yes": "always", "on": "always", "permanent": "always", "active": "always", "auto": "always",
    "false": "never", "no": "never", "off": "never", "passive": "never", "advertisement": "never", "scan": "never",
    "hourly": "every 1h", "daily": "every 1d", "command": "on demand", "request": "on demand",
    "on request": "on demand",
]

extension Kind where Value == Configuration.Characteristic.ReadPolicy? {
    /// `on connect`, a duration, or `never`.
    static var read: Kind {
        scalar("on connect | DURATION | never") { text, _ throws(InvalidValue) in
            if text == "on connect" { return .onConnect }
            if text == "never" { return nil }
            guard text.first?.isNumber == true else {
                let found = "expected on connect or a duration such as 1h, found \(text.quotedForMessage)"
                if ["true", "once", "connect", "on_connect", "always"].contains(text.lowercased()) {
                    throw "\(found): did you mean 'on connect'?"
                }
                if let (_, interval) = text.cut(at: "every ") { throw "\(found): write \(interval)" }
                throw InvalidValue(expected: ["on connect", "a duration such as 1h"], found: text)
            }
            return .every(try Duration(positive: text))
        }
    }
}

extension Kind where Value == Configuration.Characteristic.WritePolicy? {
    /// `true`, `without response`, `reliable`, or `false`.
    static var write: Kind {
        .either("boolean | without response | reliable") { node in
            // The words that YAML 1.1 reads as booleans get the advice of a boolean.
            let words = ["true", "false", "yes", "no", "on", "off", "y", "n"]
            guard case .scalar(let text, _) = node.content, !words.contains(text.lowercased()) else {
                return Kind<Bool>.boolean.map { $0 ? .withResponse : nil }
            }
            if text.hasPrefix("with") && !text.hasPrefix("witho") {
                return Kind("") { node, mistakes in
                    mistakes.report("expected true, found \(text.quotedForMessage): write true", at: node.position)
                    return nil
                }
            }
            return .choice([
                "true": .withResponse, "without response": .withoutResponse, "reliable": .reliable, "false": nil,
            ])
        }
    }
}

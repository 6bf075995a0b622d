import Codec
import System

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
                guard let meant = policy(meantBy: text) else {
                    throw InvalidValue(expected: ["always", "every 10m", "on demand", "never"], found: text)
                }
                let found = text.quotedForMessage
                throw "expected always, every 10m, on demand or never, found \(found): did you mean '\(meant)'?"
            }
        }
    }
}

/// Returns the policy that a text probably means: a word of another program, or an interval.
private func policy(meantBy text: String) -> String? {
    guard text.isShort else { return nil }
    let text = String(text.lowercased().map { "-_".contains($0) ? " " : $0 })
    if let meant = policiesElsewhere[text] { return meant }
    let rest = ["poll", "interval", "each", "every"].first { text.hasPrefix("\($0) ") }.map {
        text.dropFirst($0.count + 1)
    }
    return Duration.meant(by: String(rest ?? text[...])).map { "every \($0.exactText)" }
}

/// The policies of a configuration, by words of other programs in lower case.
private let policiesElsewhere = [
    "persistent": "always", "stay": "always", "stay connected": "always", "keep": "always", "keep connected": "always",
    "continuous": "always", "connected": "always", "poll": "every 10m", "polling": "every 10m",
    "periodic": "every 10m", "interval": "every 10m", "once": "every 10m", "when due": "every 10m",
    "on connect": "on demand", "manual": "on demand", "when needed": "on demand", "only when needed": "on demand",
    "on command": "on demand", "if needed": "on demand", "broadcast": "never", "disabled": "never", "none": "never",
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
                switch text.lowercased() {
                case "false", "no", "off", "none", "on demand", "manual":
                    throw "\(found): write never, or remove the key"
                case "startup", "start", "at start", "yes", "initial": throw "\(found): did you mean 'on connect'?"
                case "notify", "indicate", "subscribe", "notification": throw "\(found): write subscribe: true"
                default: break
                }
                if let meant = Duration.meant(by: text) { throw "\(found): write \(meant.exactText)" }
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
            return .choice(
                ["true": .withResponse, "without response": .withoutResponse, "reliable": .reliable, "false": nil],
                synonyms: [
                    "no response": "without response", "noresponse": "without response",
                    "no-response": "without response", "command": "without response", "request": "true",
                    "write": "true", "response": "true", "confirmed": "true", "acknowledged": "true",
                    "prepared": "reliable", "long": "true", "reliable write": "reliable", "none": "false",
                    "never": "false", "always": "true", "enabled": "true",
                ])
        }
    }
}

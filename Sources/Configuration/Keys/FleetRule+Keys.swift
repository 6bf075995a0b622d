import Bluetooth
import Codec

extension Configuration.FleetRule {
    enum Keys {
        static let match = Key(
            required: "match", Match.kind, example: "{name: \"Sensor*\", services: [181A]}",
            "The devices to which the rule applies; all given properties must match.")
        static let device = Key(
            "device", Kind<DeviceNamePattern>.deviceName, default: "\"{address}\"", example: "\"sensors/{address}\"",
            "The name of the device; contains {address} or {name}, and may contain {gateway}.")

        static let permit = Key(
            "permit", .positiveDuration, example: "10m",
            "How long the rule adopts new devices: for this time after the start of the gateway, after a change of the "
                + "rules, and after the request permit; always if left out. Adopted devices stay.")

        static let section = Section(
            "fleet",
            rows: [match.row, device.row, permit.row, Profile.key.row] + Configuration.DeviceSettings.Keys.section.rows,
            advice: Configuration.DeviceSettings.advice.merging([
                "exclude": "the first matching rule applies: list the device in devices",
                "ignore": "the first matching rule applies: list the device in devices",
                "limit": "a gateway adopts up to 1,000 devices: remove the key, or add permit",
                "max": "a gateway adopts up to 1,000 devices: remove the key, or add permit",
                "permit_join": "did you mean 'permit'?", "name": "it belongs into match",
                "services": "it belongs into match",
                "address": "it belongs into match", "mac": "write match: {address: C0:00:00:00:00:01}",
            ]) { $1 })
    }

    static let kind = Kind.mapping(Keys.section) { reader in
        let entry = Configuration.DeviceSettingsEntry(reader)
        entry.check(reader)
        if entry.settings.label.manufacturer?.isCompanyIdentifier == true {
            reader.warn(
                "manufacturer is a name that Home Assistant shows: write a company identifier into match",
                at: Configuration.DeviceSettings.Keys.manufacturer)
        }
        let (match, device) = (reader[Keys.match], reader[Keys.device])
        return match.map {
            Configuration.FleetRule(match: $0, permit: reader[Keys.permit], device: device, settings: entry.settings)
        }
    }
}

extension Configuration.FleetRule.Match {
    enum Keys {
        static let address = Key(
            "address", .addressPattern, example: "\"C0:00:*\"",
            "The address as a pattern: * stands for any text, ? for one character.")
        static let name = Key(
            "name", .namePattern, example: "\"Sensor*\"",
            "The advertised name as a pattern: * stands for any text, ? for one character.")
        static let services = Key(
            "services",
            .list(
                of: .service, whenEmpty: "the list is empty: name a service, or remove the key", example: "[181A]"),
            example: "[181A]",
            "Services that the device must advertise.")
        static let manufacturer = Key(
            "manufacturer", .company, example: "0x0499", "The company identifier of the manufacturer data.")

        static let decoded = Key(
            "decoded", .boolean, default: "false", example: "true",
            "Whether the device must advertise values in a built-in format without encryption: every supported sensor, but no "
                + "phone, tracker or beacon.")
        static let profile = Key(
            "profile", .text, example: "jbd/battery",
            "The name of a profile that ships with Bluefleet: the device must look like one of its devices, as bluefleet scan "
                + "prints it.")
        static let rssi = Key(
            "rssi", signal, example: "-85", "The weakest signal with which a device is adopted, in dBm.")

        static let section = Section(
            "match", address, name, services, manufacturer, decoded, profile, rssi, example: "{name: \"Sensor*\"}",
            advice: [
                "type": "write decoded: true for every supported sensor",
                "any": "write decoded: true for every supported sensor",
                "all": "write decoded: true for every supported sensor",
                "model": "write profile: MAKER/MODEL, or name: \"PATTERN*\"", "id": "did you mean 'address'?",
                "company": "did you mean 'manufacturer'?", "manufacturer_id": "did you mean 'manufacturer'?",
                "mac": "did you mean 'address'?", "local_name": "did you mean 'name'?",
                "service": "did you mean 'services'?", "uuid": "did you mean 'services'?",
                "service_uuid": "did you mean 'services'?", "uuids": "did you mean 'services'?",
                "supported": "did you mean 'decoded'?", "known": "did you mean 'decoded'?",
                "signal": "did you mean 'rssi'?", "min_rssi": "did you mean 'rssi'?",
                "minimum_rssi": "did you mean 'rssi'?",
            ])
    }

    /// A signal strength in dBm, which is negative for every device that is not very near.
    private static let signal = Kind<Int>.scalar("whole number") { text, isPlain throws(InvalidValue) in
        if let number = Int(text), 21...127 ~= number {
            throw "expected a number from -127 to 20, found \(number): write -\(number)"
        }
        return try Kind<Int>.number(text, isPlain, in: -127...20)
    }

    /// Whether the rule needs no property except a signal.
    private var isEverything: Bool {
        address == nil && name == nil && services.isEmpty && manufacturer == nil && !isDecoded
            && recognition == nil
    }

    /// Returns how the profile of the key `profile` recognizes its devices; nil if there is no such key.
    private static func recognition(_ reader: MappingReader) -> [Configuration.FleetRule.Match]? {
        guard let name = reader[Keys.profile] else { return nil }
        let profiles = reader.mistakes.profiles
        guard profiles.contains(name) else {
            reader.report(
                InvalidValue(unknown: "profile", name, among: profiles.library.names).message, at: Keys.profile)
            return []
        }
        let recognition = profiles.profile(named: name, reader.mistakes)?.recognition
        if recognition?.isEmpty == true {
            reader.report(
                "the profile \(name.quotedForMessage) does not recognize its devices: add name, services or address in place of "
                    + "profile", at: Keys.profile)
        }
        return recognition ?? []
    }

    static let kind = Kind.mapping(Keys.section) { reader in
        let before = reader.mistakes.reports
        let match = Configuration.FleetRule.Match(
            address: reader[Keys.address], name: reader[Keys.name], services: reader[Keys.services] ?? [],
            manufacturer: reader[Keys.manufacturer].map { UInt16($0) }, isDecoded: reader[Keys.decoded],
            weakestSignal: reader[Keys.rssi], recognition: recognition(reader))
        if reader.isEmpty {
            reader.mistakes.report(
                "the rule matches every device: add address, name, services, manufacturer or decoded: true",
                at: reader.position)
        } else if match.isEverything, reader.mistakes.reports == before, !reader.hasUnknownKeys {
            reader.mistakes.report(
                "the rule matches every device in range: add address, name, services, manufacturer or decoded: true",
                at: reader.position)
        }
        return match
    }
}

extension Kind where Value == Int {
    /// The number that the Bluetooth SIG has assigned to a company.
    fileprivate static var company: Kind<Int> {
        Kind<Int>.either("whole number") { node in
            guard case .scalar(let text, true) = node.content, text.first?.isLetter == true,
                UInt16(text, radix: 16) == nil
            else { return .integer(0...0xFFFF) }
            return Kind<Int>.scalar("whole number") { text, _ throws(InvalidValue) in
                throw
                    "expected the number of a company such as 0x0499, found \(text.quotedForMessage): bluefleet scan --json shows it as manufacturer_data"
            }
        }
    }
}

extension Kind where Value == Glob {
    fileprivate static var glob: Kind<Glob> {
        Kind<String>.text.map("pattern") { Glob($0) }
    }

    /// A pattern of names; a regular expression causes a warning.
    fileprivate static var namePattern: Kind<Glob> {
        Kind("pattern") { node, mistakes in
            if case .scalar(let text, _) = node.content, let pattern = text.patternOfRegularExpression {
                mistakes.warn(
                    "\(text.quotedForMessage) looks like a regular expression, but in a pattern only * and ? are special: "
                        + "did you mean \(pattern.quotedForMessage)?", at: node.position)
            }
            return glob.read(node, mistakes)
        }
    }

    fileprivate static var addressPattern: Kind<Glob> {
        Kind<String>.text.map("pattern") { text throws(InvalidValue) in
            let isPattern = text.contains { "*?".contains($0) }
            guard text.utf8.allSatisfy({ "0123456789abcdefABCDEF:*?".utf8.contains($0) }),
                isPattern || Address(text) != nil
            else {
                throw "expected an address such as C0:00:00:00:00:01 or C0:00:*, found \(text.quotedForMessage)"
            }
            return Glob(text.uppercased())
        }
    }
}

extension String {
    /// The pattern that a regular expression probably means; nil for a text without signs of a regular expression.
    fileprivate var patternOfRegularExpression: String? {
        let pairs = zip(self, dropFirst()).map { "\($0)\($1)" }
        let hasSign = contains { "\\[]|{}".contains($0) } || pairs.contains { [".*", ".+", ".?", "(?"].contains($0) }
        guard hasSign || hasPrefix("^") || (hasSuffix("$") && count > 1) else { return nil }
        var result = ""
        var rest = self[...]
        while let character = rest.popFirst() {
            switch character {
            case "^" where result.isEmpty, "$" where rest.isEmpty, "(", ")": break
            case ".": result.append("?")
            case "*", "+":
                if let last = result.last, last == "?" || last == "*" { result.removeLast() }
                result.append("*")
            case "\\":
                guard let escaped = rest.popFirst() else { break }
                result.append("dws".contains(escaped) ? "?" : escaped)
            case "[":
                rest = rest.drop { $0 != "]" }.dropFirst()
                result.append("?")
            case "{", "|":
                rest = character == "{" ? rest.drop { $0 != "}" }.dropFirst() : ""
                result.append("*")
            default: result.append(character)
            }
        }
        return result
    }
}

extension Kind where Value == DeviceNamePattern {
    fileprivate static var deviceName: Kind<DeviceNamePattern> {
        Kind<String>.text.map("pattern") { text throws(InvalidValue) in
            let pattern = try DeviceNamePattern(text)
            let sample = pattern.name(for: Address(0), localName: "name")
            if let problem = TopicName.problem(inDeviceName: sample) { throw InvalidValue(stringLiteral: problem) }
            return pattern
        }
    }
}

extension String {
    /// Whether the text is a number, as the company identifiers of the Bluetooth SIG.
    fileprivate var isCompanyIdentifier: Bool { hasPrefix("0x") || UInt16(self) != nil }
}

import Bluetooth
import Codec

extension Configuration.FleetRule {
    enum Keys {
        static let match = Key(
            required: "match", Match.kind, example: "{name: \"Sensor*\", services: [181A]}",
            "The devices to which the rule applies; all given properties must match.")
        static let device = Key(
            "device", Kind<DeviceNamePattern>.deviceName, default: "\"{address}\"", example: "\"sensors/{address}\"",
            "The name of the device; contains {address} or {name}.")

        static let section = Section(
            "fleet", rows: [match.row, device.row, Profile.key.row] + Configuration.DeviceSettings.Keys.section.rows,
            advice: [
                "name": "it belongs into match", "services": "it belongs into match",
                "address": "it belongs into match",
                "manufacturer": "it belongs into match",
            ])
    }

    static let kind = Kind.mapping(Keys.section) { reader in
        let entry = Configuration.DeviceSettingsEntry(reader)
        entry.check(reader)
        let (match, device) = (reader[Keys.match], reader[Keys.device])
        return match.map { Configuration.FleetRule(match: $0, device: device, settings: entry.settings) }
    }
}

extension Configuration.FleetRule.Match {
    enum Keys {
        static let address = Key(
            "address", .addressPattern, example: "\"C0:00:*\"",
            "The address as a pattern: * stands for any text, ? for one character.")
        static let name = Key(
            "name", .glob, example: "\"Sensor*\"",
            "The advertised name as a pattern: * stands for any text, ? for one character.")
        static let services = Key(
            "services", .list(of: .service, whenEmpty: "the list is empty: name a service, or remove the key"),
            example: "[181A]",
            "Services that the device must advertise.")
        static let manufacturer = Key(
            "manufacturer", .integer(0...0xFFFF), example: "0x0499", "The company identifier of the manufacturer data.")

        static let section = Section(
            "match", address, name, services, manufacturer, example: "{name: \"Sensor*\"}",
            advice: ["company": "did you mean 'manufacturer'?", "service": "did you mean 'services'?"])
    }

    static let kind = Kind.mapping(Keys.section) { reader in
        let match = Configuration.FleetRule.Match(
            address: reader[Keys.address], name: reader[Keys.name], services: reader[Keys.services] ?? [],
            manufacturer: reader[Keys.manufacturer].map { UInt16($0) })
        if reader.isEmpty {
            reader.mistakes.report(
                "the rule matches every device: add address, name, services or manufacturer",
                at: reader.position)
        }
        return match
    }
}

extension Kind where Value == Glob {
    fileprivate static var glob: Kind<Glob> {
        Kind<String>.text.map("pattern") { Glob($0) }
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

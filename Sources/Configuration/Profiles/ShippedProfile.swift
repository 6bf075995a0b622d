import Bluetooth
import Codec
import System

/// A profile for one model of devices, with its source and its tests: a file of the library.
package struct ShippedProfile: Sendable {
    /// The name in the configuration: `jbd/battery`.
    package let name: String
    /// The path of the file.
    package let path: String
    package let maker: String
    package let model: String
    /// Rises with each change of the file.
    package let version: Int
    /// Where the protocol of the device is described.
    package let sources: [String]
    /// The properties by which a device in range is recognized; one of them is enough.
    package let recognition: [Configuration.FleetRule.Match]
    package let parameters: [Named<ProfileParameter>]
    package let tests: [ProfileTest]
    /// The keys that a device inherits, with the defaults of the parameters.
    let node: YAMLNode

    /// Reports parameters that the profile does not have, that have a wrong value, or that are missing.
    ///
    /// - Parameters:
    ///   - given: The key `with` of a device, merged with the defaults.
    ///   - position: The position of the name of the profile.
    ///   - mistakes: Collects the mistakes.
    func check(parameters given: YAMLNode?, at position: Position, _ mistakes: Mistakes) {
        var entries: [YAMLNode.Entry] = []
        if case .mapping(let given)? = given?.content { entries = given }
        for entry in entries {
            guard let parameter = parameters.first(where: { $0.name == entry.key }) else {
                mistakes.reportUnknown("parameter", entry.key, among: parameters.map(\.name), at: entry.keyPosition)
                continue
            }
            guard case .scalar(let text, _) = entry.value.content, !entry.value.isNull else { continue }
            if let problem = parameter.value.problem(with: text) { mistakes.report(problem, at: entry.value.position) }
        }
        for parameter in parameters where !entries.contains(where: { $0.key == parameter.name && !$0.value.isNull }) {
            let title = parameter.value.title.map { " (\($0))" } ?? ""
            mistakes.report(
                "the profile \(name.quotedForMessage) needs the parameter \(parameter.name)\(title): add with: {\(parameter.name): VALUE}",
                at: position)
        }
    }
}

extension ShippedProfile {
    private enum Keys {
        static let maker = Key(required: "maker", .text, example: "JBD", "The maker of the device.")
        static let model = Key(required: "model", .text, example: "Smart BMS", "The model or the series.")
        static let version = Key(
            required: "version", Kind<Int>.integer(1...9999), example: "1", "Rises with each change of the file.")
        static let source = Key(
            "source", Kind<[String]>.oneOrMore(.text), default: "[]", example: "https://example.org/protocol",
            "Where the protocol is described: one address or a list.")
        static let recognise = Key(
            "recognise", Kind<[Configuration.FleetRule.Match]>.list(of: Recognition.kind), default: "[]",
            example: "[{services: [FF00], name: \"JBD-*\"}]",
            "The advertised properties of the device: a list of alternatives. They only propose the profile.")
        static let parameters = Key(
            "parameters", ProfileParameter.named, default: "{}", example: "{station: {default: 255}}",
            "The values that a device gives with the key with.")
        static let profile = Key(
            required: "profile", Kind<YAMLNode>("profile") { node, _ in node }, example: "{connect: every 1m}",
            "The keys that a device inherits: all keys of a profile.")
        static let tests = Key(
            "tests", Kind<[ProfileTest]>.list(of: ProfileTest.kind), default: "[]", example: "[]",
            "Recorded questions and answers with their values.")
        static let section = Section(
            "profile file", maker, model, version, source, recognise, parameters, profile, tests,
            example: "{maker: JBD, model: Smart BMS, version: 1, profile: {…}}",
            advice: ["recognize": "did you mean 'recognise'?", "characteristics": "it belongs into profile"])
    }

    /// Properties of an advertisement.
    private enum Recognition {
        static let company = Key(
            "company", Kind<Int>.integer(0...0xFFFF), example: "0x0499",
            "The company identifier of the manufacturer data.")
        static let section = Section(
            "recognition",
            rows: [
                Configuration.FleetRule.Match.Keys.name.row, Configuration.FleetRule.Match.Keys.services.row,
                company.row,
                Configuration.FleetRule.Match.Keys.address.row,
            ], example: "{name: \"JBD-*\"}")

        static let kind = Kind<Configuration.FleetRule.Match>.mapping(section) { reader in
            typealias Keys = Configuration.FleetRule.Match.Keys
            if reader.isEmpty {
                reader.mistakes.report(
                    "every device has these properties: add name, services, company or address", at: reader.position)
            }
            return Configuration.FleetRule.Match(
                address: reader[Keys.address], name: reader[Keys.name], services: reader[Keys.services] ?? [],
                manufacturer: reader[company].map { UInt16($0) }, isDecoded: false, weakestSignal: nil,
                recognition: nil)
        }
    }

    /// Reads the contents of a file; the result is nil after a mistake has been reported.
    ///
    /// - Parameters:
    ///   - name: The name of the profile.
    ///   - path: The path of the file.
    ///   - root: The contents.
    ///   - mistakes: Collects the mistakes.
    init?(_ name: String, path: String, _ root: YAMLNode, _ mistakes: Mistakes) {
        guard let reader = MappingReader(root, Keys.section, mistakes) else { return nil }
        let (sources, recognition, tests) = (reader[Keys.source], reader[Keys.recognise], reader[Keys.tests])
        let parameters = reader[Keys.parameters]
        guard let maker = reader[Keys.maker], let model = reader[Keys.model], let version = reader[Keys.version],
            let keys = reader[Keys.profile]
        else { return nil }
        self.init(
            name: name, path: path, maker: maker, model: model, version: version, sources: sources,
            recognition: recognition, parameters: parameters, tests: tests,
            node: keys.overriding(Self.inherited(maker, model, parameters, root), inherits: true))
    }

    /// The keys of each device with the profile: how Home Assistant names the device, and the defaults of the parameters.
    private static func inherited(
        _ maker: String, _ model: String, _ parameters: [Named<ProfileParameter>], _ root: YAMLNode
    ) -> YAMLNode {
        func entry(_ key: String, _ content: YAMLNode.Content, at position: Position) -> YAMLNode.Entry {
            YAMLNode.Entry(
                key: key, keyPosition: position, value: YAMLNode(content: content, position: position),
                isInherited: true)
        }
        typealias DeviceKeys = Configuration.DeviceSettings.Keys
        var entries = [
            entry(DeviceKeys.manufacturer.row.name, .scalar(maker, isPlain: false), at: root.position),
            entry(DeviceKeys.model.row.name, .scalar(model, isPlain: false), at: root.position),
        ]
        let defaults = parameters.map { parameter in
            entry(
                parameter.name, .scalar(parameter.value.standard ?? "", isPlain: true), at: parameter.position)
        }
        if !defaults.isEmpty {
            entries.append(entry(DeviceKeys.with.row.name, .mapping(defaults), at: root.position))
        }
        return YAMLNode(content: .mapping(entries), position: root.position)
    }
}

import Bluetooth
import Codec
import Configuration
import JSON
import System

/// `bluefleet profiles`: lists the profiles for models of devices.
struct Profiles: Command {
    static let name = "profiles"
    static let summary = "lists the profiles for models of devices, or shows one"
    static let details = [
        """
        Lists the profiles whose name, maker or model contains WORD. With the whole name of a profile, shows its source, its \
        parameters and its topics. A device uses a profile with profile: MAKER/MODEL. A file profiles/MAKER/MODEL.yaml in the \
        folder of the configuration replaces the shipped profile.
        """
    ]
    static let operands = [word]
    static let options = [Option.config, .json]
    static let examples = ["bluefleet profiles", "bluefleet profiles battery", "bluefleet profiles jbd/battery"]

    private static let word = Operand("WORD", "a part of the name, or the name", isOptional: true)

    private let library: ProfileLibrary
    private let word: String?
    private let asJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        library = ProfileLibrary(beside: ConfigurationFile(arguments).path)
        word = arguments[optional: Self.word]
        asJSON = arguments.contains(.json)
    }

    func run() throws(Failure) {
        if let word, library.path(of: word) != nil {
            let profile = try library.loaded(word)
            StandardStream.output.print(
                asJSON ? Value.record(profile.record(in: library)).description : profile.text(in: library))
            return
        }
        let profiles = try selected
        if asJSON {
            let list = profiles.map { Value.record($0.record(in: library)) }
            StandardStream.output.print(Value.record(Record([("profiles", .list(list))])).description)
        } else {
            let width = profiles.map(\.name.count).max() ?? 0
            for profile in profiles {
                StandardStream.output.print("\(profile.name.padded(to: width))  \(profile.maker) \(profile.model)")
            }
        }
    }

    private var selected: [ShippedProfile] {
        get throws(Failure) {
            var profiles: [ShippedProfile] = []
            let pattern = word.map { Glob("*\($0.lowercased())*") }
            for name in library.names {
                let profile = try library.loaded(name)
                let texts = [name, profile.maker, profile.model].map { $0.lowercased() }
                if pattern.map({ texts.contains(where: $0.matches) }) ?? true { profiles.append(profile) }
            }
            guard !profiles.isEmpty else {
                guard let word else {
                    throw Failure(
                        .unavailable,
                        "there are no profiles in \(ProfileLibrary.shippedFolder): install the package bluefleet again")
                }
                throw Failure(.usage, InvalidValue(unknown: "profile", word, among: library.names).message)
            }
            return profiles
        }
    }
}

extension ProfileLibrary {
    /// Returns a profile.
    ///
    /// - Throws: `Failure` for an unknown name, and for a file with mistakes.
    func loaded(_ name: String) throws(Failure) -> ShippedProfile {
        guard path(of: name) != nil else {
            throw Failure(.usage, InvalidValue(unknown: "profile", name, among: names).message)
        }
        do throws(ConfigurationError) {
            return try profile(named: name)
        } catch {
            throw Failure(.badConfiguration, "the profile has mistakes\n\(error.text)")
        }
    }
}

extension ShippedProfile {
    /// The values of each topic: `voltage (V), current (A)`.
    private func topics(in library: ProfileLibrary) -> [(name: String, values: String)] {
        guard let settings = try? library.settings(of: name) else { return [] }
        return settings.characteristics.map { characteristic in
            let values = (characteristic.meaning?.quantities ?? []).map { quantity in
                quantity.name + (quantity.unit.map { " (\($0))" } ?? "")
            }
            let isCommand = characteristic.write != nil && characteristic.exchange?.answer == nil
            let text = values.isEmpty ? "" : values.joined(separator: ", ")
            return (characteristic.topicName, isCommand ? "set" + (text.isEmpty ? "" : ": \(text)") : text)
        }
    }

    /// The profile as aligned lines.
    fileprivate func text(in library: ProfileLibrary) -> String {
        var rows = [("profile", "\(name), version \(version): \(maker) \(model)"), ("file", path)]
        rows += sources.map { ("source", $0) }
        rows += recognition.map { ("recognized", $0.text) }
        rows += parameters.map { parameter in
            let standard = parameter.value.standard.map { "default \($0)" } ?? "must be given"
            return (
                "parameter",
                "\(parameter.name): " + [parameter.value.title, standard].compactMap { $0 }.joined(separator: ", ")
            )
        }
        rows += topics(in: library).map { ("topic", $0.values.isEmpty ? $0.name : "\($0.name): \($0.values)") }
        return rows.flatMap { Paragraph($0.1).lines(labelled: $0.0.padded(to: 12), indent: 12) }.joined(separator: "\n")
    }

    fileprivate func record(in library: ProfileLibrary) -> Record {
        Record([
            ("name", .string(name)), ("maker", .string(maker)), ("model", .string(model)),
            ("version", .number(Decimal(version))), ("file", .string(path)),
            ("sources", .list(sources.map { .string($0) })),
            (
                "parameters",
                .list(
                    parameters.map { parameter in
                        .record(
                            Record([
                                ("name", .string(parameter.name)),
                                ("title", parameter.value.title.map { .string($0) } ?? .null),
                                ("default", parameter.value.standard.map { .string($0) } ?? .null),
                            ]))
                    })
            ),
            ("topics", .list(topics(in: library).map { .string($0.name) })),
        ])
    }
}

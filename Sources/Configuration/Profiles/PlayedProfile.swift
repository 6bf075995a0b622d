/// A profile, and the questions and answers that a simulated device with this profile plays.
package struct PlayedProfile: Sendable {
    /// The settings of a device that has only the profile.
    package let settings: Configuration.DeviceSettings
    /// The properties by which a device with the profile is recognized.
    package let recognition: [Configuration.FleetRule.Match]
    package let tests: [ProfileTest]

    /// The name of a profile, whose own tests are played.
    package static let named = Kind<PlayedProfile>("profile") { node, mistakes in
        guard let profile = profile(node, mistakes), let settings = profile.settings(mistakes) else { return nil }
        return PlayedProfile(settings: settings, recognition: profile.recognition, tests: profile.tests)
    }

    /// The path of a file that `bluefleet try --record` has written.
    package static let recorded = Kind<PlayedProfile>("file") { node, mistakes in
        guard let path = Kind<String>.path.read(node, mistakes) else { return nil }
        return mistakes.contents(ofFile: path).flatMap { recording.read($0, mistakes) }
    }

    private enum Keys {
        static let profile = Key(
            required: "profile", Kind<YAMLNode>("profile") { node, _ in node }, example: "jbd/battery",
            "The profile of the recorded device.")
        static let version = Key(
            "version", Kind<Int>.integer(1...9999), example: "1",
            "The version of the profile at the time of the recording."
        )
        static let tests = Key(
            "tests", Kind<[ProfileTest]>.list(of: ProfileTest.kind), default: "[]", example: "[]",
            "The recorded questions and answers with their values: the key tests of a profile.")
        static let section = Section(
            "recording", profile, version, tests, example: "{profile: jbd/battery, tests: […]}")
    }

    private static let recording = Kind<PlayedProfile>.mapping(Keys.section) { reader in
        let tests = reader[Keys.tests]
        guard let node = reader[Keys.profile], let profile = profile(node, reader.mistakes),
            let settings = profile.settings(reader.mistakes)
        else { return nil }
        let entries = settings.characteristics.map(\.name) + ["first"]
        for test in tests where !entries.contains(test.entry) {
            reader.mistakes.reportUnknown("entry of the profile", test.entry, among: entries, at: test.position)
        }
        return PlayedProfile(settings: settings, recognition: profile.recognition, tests: tests)
    }

    private static func profile(_ node: YAMLNode, _ mistakes: Mistakes) -> ShippedProfile? {
        guard let name = Kind<String>.text.read(node, mistakes) else { return nil }
        let files = mistakes.profiles
        guard files.contains(name) else {
            mistakes.reportUnknown("profile", name, among: files.library.names, at: node.position)
            return nil
        }
        return files.profile(named: name, mistakes)
    }
}

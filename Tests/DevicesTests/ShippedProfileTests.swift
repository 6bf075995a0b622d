import Configuration
import Testing

/// Rules for the files of the shipped profiles.
@Suite struct ShippedProfileTests {
    private static let names = ProfileScenario.library.names

    @Test func `there are profiles`() {
        #expect(Self.names.count >= 30)
    }

    @Test(arguments: names)
    func `a profile has no mistake and causes no warning`(name: String) throws {
        let profile = try ProfileScenario.library.profile(named: name)
        let values = profile.parameters.filter { $0.value.standard == nil }.map { "\($0.name): 1" }
        let configuration = try Configuration(
            yaml: """
                devices:
                  device: {address: "C0:00:00:00:00:01", profile: \(name), with: {\(values.joined(separator: ", "))}}
                """)
        #expect(configuration.warnings.map(\.description) == [])
        #expect(configuration.usedProfiles.map(\.name) == [name])
    }

    @Test(arguments: names)
    func `a profile has a source, and a test for each entry with a format of its own`(name: String) throws {
        let profile = try ProfileScenario.library.profile(named: name)
        #expect(!profile.sources.isEmpty)
        let scenario = ProfileScenario(profile, try #require(profile.tests.first))
        let tested = Set(profile.tests.map(\.entry))
        for characteristic in try scenario.device.characteristics where characteristic.format != nil {
            #expect(tested.contains(characteristic.name), "no test for \(characteristic.name)")
        }
    }
}

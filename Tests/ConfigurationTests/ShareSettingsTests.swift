import Configuration
import Testing

@Suite struct ShareSettingsTests {
    private static let devices = """
        devices:
          garden/soil: {address: C0:00:00:00:00:01, connect: never}
          cellar: {address: C0:00:00:00:00:02, connect: never}
          garden/relay: {address: C0:00:00:00:00:03, connect: always}
          garden/lock: {address: C0:00:00:00:00:04, pair: true}
          garden/logger:
            address: C0:00:00:00:00:05
            characteristics:
              log:
                ask: {to: FFF2, hex: A0}
                answer: {from: FFF1}
                history: {time: recorded}
                format: [{name: recorded, type: uint32, hidden: true}, {name: level, type: uint8}]
        """

    private func messages(_ share: String) -> [String] {
        do throws(ConfigurationError) {
            return try Configuration(yaml: "share: \(share)\n\(Self.devices)").warnings.map(\.description)
        } catch {
            return error.mistakes.map(\.description)
        }
    }

    /// Returns the names of the shared devices.
    private func shared(_ share: String) throws -> [String] {
        let configuration = try Configuration(yaml: share + Self.devices)
        return configuration.devices.filter { configuration.share?.includes($0) ?? false }.map(\.name)
    }

    @Test(arguments: ["", "share: false\n", "share:\n"])
    func `without share, a gateway shares no device`(share: String) throws {
        #expect(try Configuration(yaml: share + Self.devices).share == nil)
    }

    @Test(arguments: [
        ("share: true\n", ["garden/soil", "cellar", "garden/relay", "garden/lock"]),
        ("share: {}\n", ["garden/soil", "cellar", "garden/relay", "garden/lock"]),
        ("share: {only: [\"garden/*\"]}\n", ["garden/soil", "garden/relay", "garden/lock"]),
        ("share: {only: [cellar, attic]}\n", ["cellar"]),
    ])
    func `share includes the devices without history whose names match`(share: String, names: [String]) throws {
        #expect(try shared(share) == names)
    }

    @Test func `the rank is 100 unless it is given`() throws {
        #expect(try Configuration(yaml: "share: true").share?.rank == 100)
        #expect(try Configuration(yaml: "share: {rank: 5}").share?.rank == 5)
    }

    @Test(arguments: [
        ("yes", "bluefleet.yaml:1:8: expected true or false, found 'yes': write true"),
        ("[cellar]", #"bluefleet.yaml:1:8: expected true, or a mapping such as {only: ["garden/*"]}, found a list"#),
        ("{devices: [cellar]}", "bluefleet.yaml:1:9: unknown key 'devices': did you mean 'only'?"),
        ("{rank: -1}", "bluefleet.yaml:1:15: expected a number from 0 to 1000, found -1"),
        (
            "{only: []}",
            "bluefleet.yaml:1:15: the list is empty, so that no device is shared: name a pattern, or write share: false"
        ),
        ("{only: [\"porch*\"]}", "bluefleet.yaml:1:16: no device has a name like 'porch*'"),
        (
            "true",
            "bluefleet.yaml:1:8: 'garden/logger': not shared, because of history: list such a device in the file of one "
                + "gateway only"
        ),
    ])
    func `a mistake in share, and a device that is not shared, are reported with their position`(
        share: String, message: String
    ) {
        #expect(messages(share).contains(message), "\(messages(share))")
    }
}

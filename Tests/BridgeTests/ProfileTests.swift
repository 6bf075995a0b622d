import Codec
import Configuration
import JSON
import TestSupport
import TestTraits
import Testing

/// All profiles that ship, with simulated devices that play their tests: from the question to the message of the broker.
@Suite(.ownThreads) struct ProfileTests {
    /// A simulated device with a profile.
    private struct Played {
        let profile: ShippedProfile
        let settings: Configuration.DeviceSettings
        let number: Int

        var name: String { profile.name.map { $0 == "/" ? "_" : String($0) }.joined() }
        var address: String {
            let digits = String(number, radix: 16, uppercase: true)
            return "C0:00:00:00:01:\(String(repeating: "0", count: 2 - digits.count))\(digits)"
        }

        /// The PIN with which the tests ask the first questions; nil: they need none.
        var pin: String? { profile.tests.first { $0.entry == "first" && $0.pin != nil }?.pin }

        var peripheral: String {
            """
              \(name):
                address: \(address)
                profile: \(profile.name)
                advertise: {every: 20ms}
                pace: \(Scenario.hurry)

            """
        }

        func device(pinFile: String?) -> String {
            let pin = pinFile.map { ", pin_file: \($0)" } ?? ""
            return "  \(name): {address: \(address), profile: \(profile.name), connect: on demand, hold: 1h\(pin)}\n"
        }

        /// The tests with values that the device sends without a command, by their topics; without records of the past,
        /// whose times must be new (`HistoryTests`).
        var expectations: [String: [ProfileTest]] {
            var result: [String: [ProfileTest]] = [:]
            for characteristic in settings.characteristics where characteristic.exchange?.history == nil {
                let isPublished = characteristic.isExchange || characteristic.subscribe || characteristic.read != nil
                let tests = profile.tests.filter { $0.entry == characteristic.name && $0.set == nil && $0.hasValues }
                // The series of the profiles begin at 1.
                let number = characteristic.exchange?.question?.series == nil ? "" : "_1"
                if isPublished, !tests.isEmpty { result[characteristic.topicName + number, default: []] += tests }
            }
            return result
        }

        /// The first test with a command that needs no PIN; nil: there is none.
        var command: ProfileTest? { profile.tests.first { $0.set != nil && $0.hasValues && $0.pin == nil } }
    }

    private static let all: [Played] = {
        let library = ProfileLibrary(own: "/nonexistent")
        return library.names.enumerated().compactMap { number, name in
            guard let profile = try? library.profile(named: name), let settings = try? library.settings(of: name)
            else { return nil }
            return Played(profile: profile, settings: settings, number: number)
        }
    }()

    @Test func `scan and inspect name the profiles that fit a device`() throws {
        let fleet = """
            peripherals:
              battery: {address: C0:00:00:00:00:01, profile: jbd/battery, advertise: {every: 5ms}, pace: \(Scenario.hurry)}
              other: {address: C0:00:00:00:00:02, advertise: {every: 5ms}}
            """
        try withFixture(Scenario(fleet: fleet, "devices: {}")) { fixture in
            let scan = try await fixture.request("bridge/attic/request/scan", #"{"for": "200ms"}"#)
            let devices = scan["data"]?["devices"]?.array ?? []
            let battery = try #require(devices.first { $0["address"] == "C0:00:00:00:00:01" })
            #expect(battery["profiles"] == ["jbd/battery"])
            let other = try #require(devices.first { $0["address"] == "C0:00:00:00:00:02" })
            #expect(other["profiles"] == nil)
            let inspected = try await fixture.request(
                "bridge/attic/request/inspect", #"{"address": "C0:00:00:00:00:01"}"#)
            #expect(inspected["data"]?["profiles"] == ["jbd/battery"])
        }
    }

    @Test func `a simulated device with a profile sends its values, and answers its questions and commands`() throws {
        let peripherals = Self.all.map(\.peripheral).joined()
        let fleet = """
            adapters: {hci0: {address: "00:00:5E:00:53:01", connections: 100}}
            peripherals:
            \(peripherals)
            """
        try withFixture(Scenario(fleet: fleet, "").with { $0.hasGateway = false }) { fixture in
            var devices = "bluetooth: {connections: 100}\ndevices:\n"
            for played in Self.all {
                let file = try played.pin.map { try fixture.folder.write("\($0)\n", to: "\(played.name).pin") }
                devices += played.device(pinFile: file)
            }
            try await fixture.startGateway(devices)
            for played in Self.all { try fixture.ask("\(played.name)/request/connect", "{}") }
            for played in Self.all {
                for (topic, tests) in played.expectations {
                    let reading = try await fixture.recorder.next("bluefleet/\(played.name)/\(topic)")
                    #expect(tests.contains { $0.expects(reading) }, "\(played.profile.name) \(topic): \(reading)")
                }
            }
            for played in Self.all {
                let response = try await fixture.response(to: "\(played.name)/request/connect")
                #expect(response["status"] == "ok", "\(played.profile.name): \(response)")
                guard let command = played.command, let value = command.set?.value else { continue }
                let answer = try await fixture.request("\(played.name)/\(command.entry)/set", value.description)
                #expect(answer["status"] == "ok", "\(played.profile.name) \(command.entry): \(answer)")
                let data = answer["data"]?["answer"] ?? .null
                #expect(command.expects(data), "\(played.profile.name) \(command.entry): \(answer)")
            }
        }
    }
}

extension ProfileTest {
    /// Whether the answer has expected values.
    fileprivate var hasValues: Bool {
        if case .values = expectation { true } else { false }
    }

    /// Returns whether a payload has all expected values.
    fileprivate func expects(_ payload: JSON) -> Bool {
        guard case .values(let values) = expectation else { return false }
        return values.allSatisfy { expected in
            let found = payload[expected.name] ?? (values.count == 1 ? payload["value"] : nil)
            return found?.description == expected.value.value.description
        }
    }
}

extension ProfileTest.Command {
    fileprivate var value: Value {
        switch self {
        case .value(let value): value.value
        case .fields(let fields): .record(Record(fields.map { ($0.name, $0.value.value) }))
        }
    }
}

import Foundation
import JSON
import System
import TestSupport
import TestTraits
import Testing

/// `bluefleet try` with simulated devices.
@Suite(.ownThreads) struct TryTests {
    static let address = "C0:00:00:00:00:01"

    private static func house(_ keys: String) throws -> SimulatedHouse {
        try SimulatedHouse("peripherals:\n  device: {address: \"\(address)\", advertise: {every: 20ms}, \(keys)}\n")
    }

    @Test func `try asks each question, and prints the bytes and the values in 80 columns`() throws {
        let outcome = try Self.house("profile: jbd/battery").run("try", "jbd/battery", Self.address)
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(outcome.lines.allSatisfy { $0.count < 80 })
        #expect(
            Array(outcome.lines.prefix(5)) == [
                "basic  FF00/FF02", "  ask     dda50300fffd77",
                "  answer  dd03001d0618fee101f201f4002a2c7c00000000000080640304030b8b0b8a0b",
                "          84f88477", "  values  voltage 15.6 V",
            ])
        #expect(outcome.output.contains("hardware  FF00/FF02\n  ask     dda50500fffb77\n"))
    }

    @Test func `a recording is played, gives the same answers, and can be a test of the profile`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.path + "/battery.yaml"
        let words = ["try", "jbd/battery", Self.address, "--record"]
        let first = try Self.house("profile: jbd/battery").run(words + [file])
        #expect(first.status == 0, "\(first.error)")
        let recording = try #require(TextFile.read(file))
        #expect(recording.contains("    ask: \"DDA50300FFFD77\"\n"))
        #expect(recording.contains("    expect: {voltage: 15.6, current: -2.87,"))
        #expect(!recording.contains(Self.address))
        let replay = try Self.house("replay: \(file)").run(words + [folder.path + "/again.yaml"])
        #expect(replay.output == first.output)
        #expect(TextFile.read(folder.path + "/again.yaml") == recording)
        let again = try Self.house("replay: \(file)").run(words + [file])
        #expect(again.status == 64 && again.error.contains("exists already: name another file, or remove it"))

        // The tests of the recording are the tests of a profile of the user.
        let tests = try #require(recording.range(of: "tests:"))
        try FileManager.default.createDirectory(
            atPath: folder.path + "/profiles/own", withIntermediateDirectories: true)
        try TextFile.write(
            "maker: Own\nmodel: Own\nversion: 1\nprofile: {connect: on demand}\n" + recording[tests.lowerBound...],
            to: folder.path + "/profiles/own/battery.yaml")
        let shown = try Bluefleet.run("profiles", "own/battery", "--config", folder.path + "/bluefleet.yaml")
        #expect(shown.status == 0, "\(shown.error)")
    }

    @Test func `a characteristic that a formula names is read once, and records of the past are not asked for`() throws
    {
        let outcome = try Self.house("profile: xiaomi/flower_care").run("try", "xiaomi/flower_care", Self.address)
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(outcome.lines.filter { $0.hasPrefix("uptime ") }.count == 1, "\(outcome.output)")
        #expect(outcome.output.contains("  skipped records of the past: the bridge asks for them\n"))
    }

    @Test func `a PIN is neither shown nor recorded`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try TextFile.write("000000\n", to: folder.path + "/pin")
        let outcome = try Self.house("profile: jbd/battery").run(
            "try", "jbd/battery", Self.address, "--pin-file", folder.path + "/pin", "--record", folder.path + "/r.yaml")
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(
            outcome.output.hasPrefix("first 1  FF00/FF02\n  ask     (secret) it contains the PIN\n  answer  (secret)\n")
        )
        #expect(!outcome.output.contains("303030303030"))
        let recording = TextFile.read(folder.path + "/r.yaml") ?? ""
        #expect(recording.contains("# first 1 is not recorded: it contains the PIN\n"))
        #expect(!recording.contains("303030303030"))
    }

    @Test func `a question with a PIN needs the file with the PIN`() throws {
        let house = try Self.house("profile: eurotronic/comet_blue")
        let outcome = try house.run("try", "eurotronic/comet_blue", Self.address)
        #expect(outcome.status == 69)
        #expect(outcome.output.contains("failed  the question needs the PIN of the device: add --pin-file FILE"))
    }

    @Test func `values without questions are read and received, and commands are not sent`() throws {
        let house = try Self.house("profile: linak/desk")
        let desk = try house.run("try", "linak/desk", Self.address)
        #expect(desk.status == 0, "\(desk.error)")
        #expect(
            desk.output.contains("height 500 mm") && desk.output.contains("skipped a command: only a request sends it"))
        let frames = try Self.house("profile: eco_worthy/bw02").run("try", "eco_worthy/bw02", Self.address, "--json")
        let json = try JSON(parsing: Array(frames.output.utf8))
        #expect(json["profile"] == "eco_worthy/bw02")
        let battery = json["results"]?.array?.first { $0["entry"] == "battery" }
        #expect(battery?["values"]?["voltage"]?.description == "13.29", "\(frames.output)\(frames.error)")
    }

    @Test func `a question that depends on the time is recorded as a pattern`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = folder.path + "/thermostat.yaml"
        let house = try Self.house("profile: eq3/cc_rt_ble")
        #expect(try house.run("try", "eq3/cc_rt_ble", Self.address, "--record", file).status == 0)
        #expect(TextFile.read(file)?.contains("ask: \"03????????????\"") == true)
    }

    static let failures: [(keys: String, words: [String], status: Int32, error: String)] = [
        (
            "profile: jbd/battery", ["jbd/batery", address], 64,
            "unknown profile 'jbd/batery': did you mean 'jbd/battery'?"
        ),
        ("profile: jbd/battery", ["jbd/battery", "C0:00:00:00:00:09", "--within", "200ms"], 69, "C0:00:00:00:00:09"),
        ("profile: jbd/battery", ["daly/d2", address], 69, "no answer fits the profile daly/d2: is it the right one?"),
        (
            "profile: jbd/battery", ["renogy/bt1", address, "--with", "station=0"], 64,
            "expected a number from 1 to 255"
        ),
        ("profile: jbd/battery", ["renogy/bt1", address, "--with", "station"], 64, "--with: expected NAME=VALUE"),
        (
            "profile: jbd/battery", ["jbd/battery", address, "--pin-file", "/nonexistent"], 69,
            "cannot read /nonexistent"
        ),
    ]

    @Test(arguments: failures)
    func `a failure is reported with its reason`(keys: String, words: [String], status: Int32, error: String) throws {
        let outcome = try Self.house(keys).run(["try"] + words)
        #expect(outcome.status == status && outcome.error.contains(error), "\(outcome.output)\(outcome.error)")
    }

    @Test func `refused and missing answers are shown, and counted in the failure`() throws {
        let keys = """
            services: [{uuid: FF00, characteristics: [{uuid: FF01, flags: [notify]}, {uuid: FF02, \
            flags: [write-without-response], answers: [{ask: DDA50400FFFC77, on: FF01, send: DD048000FF8077}]}]}]
            """
        let outcome = try Self.house(keys).run("try", "jbd/battery", Self.address)
        #expect(outcome.status == 69)
        #expect(outcome.output.contains("failed  the device refused the question"))
        #expect(outcome.output.contains("failed  the device did not answer in time, asked 3 times"))
        #expect(outcome.error.contains("no answer fits the profile jbd/battery"))
    }
}

extension SimulatedHouse {
    fileprivate func run(_ words: [String]) throws -> Bluefleet.Outcome { try Bluefleet.run(words + ["--bus", bus]) }
}

import TestTraits
import Testing

@testable import bluefleet

@Suite(.ownThreads) struct UsageTests {
    /// Arguments, and the first line of the message.
    static let mistakes: [(words: [String], answer: String)] = [
        (["chekc"], "bluefleet: unknown command 'chekc': did you mean 'check'?"),
        (["encod"], "bluefleet: unknown command 'encod': did you mean 'encode'?"),
        (["--verison"], "bluefleet: unknown option '--verison': did you mean '--version'?"),
        (["help", "decod"], "bluefleet help: unknown command 'decod': did you mean 'decode'?"),
        (["check", "--confg", "x"], "bluefleet check: unknown option '--confg': did you mean '--config'?"),
        (["check", "-c", "x"], "bluefleet check: unknown option '-c': did you mean '--config'?"),
        (["check", "-v"], "bluefleet check: unknown option '-v': known: --config, --json, --help"),
        (["check", "--help=1"], "bluefleet check: --help does not accept a value, found '1'"),
        (["check", "--json=yes"], "bluefleet check: --json does not accept a value, found 'yes'"),
        (["check", "--json", "--json"], "bluefleet check: duplicate option --json"),
        (["help", "--configuration", "all"], "bluefleet help: unexpected argument 'all' with --configuration"),
        (["help", "check", "--man"], "bluefleet help: unexpected argument 'check' with --man"),
        (["help", "--man", "--example"], "bluefleet help: --man and --example exclude each other: remove one"),
        (["check", "file.yaml", "other.yaml"], "bluefleet check: unexpected argument 'other.yaml'"),
        (
            ["run", "--config", "file.yaml", "other.yaml"],
            "bluefleet run: 'other.yaml' and --config exclude each other: remove one"
        ),
        (
            ["inspect", "C0:00:00:00:00:01", "a.yaml"],
            "bluefleet inspect: unexpected argument 'a.yaml': "
                + "did you mean bluefleet inspect C0:00:00:00:00:01 --config a.yaml?"
        ),
        (["start"], "bluefleet: unknown command 'start': did you mean 'run'?"),
        (
            ["list"],
            "bluefleet: unknown command 'list': did you mean 'status' (the devices of the bridge) or 'scan' (devices in "
                + "range)?"
        ),
        (
            ["rename"],
            "bluefleet: unknown command 'rename': it is a request to a running bridge: publish on "
                + "bluefleet/bridge/GATEWAY/request/device/rename; bluefleet help --mqtt shows its payload"
        ),
        (
            ["restart"],
            "bluefleet: unknown command 'restart': the bridge is a service: sudo systemctl restart bluefleet"
        ),
        (
            ["scan", "--bus", "/tmp/x"],
            "bluefleet scan: --bus: expected an address such as unix:path=/tmp/bus, found '/tmp/x': did you mean "
                + "unix:path=/tmp/x?"
        ),
        (
            ["scan", "--bus", "unix:///run/bus"],
            "bluefleet scan: --bus: expected an address such as unix:path=/tmp/bus, found 'unix:///run/bus': did you "
                + "mean unix:path=/run/bus?"
        ),
        (
            ["scan", "--bus", "tcp:localhost:1"],
            "bluefleet scan: --bus: expected an address such as unix:path=/tmp/bus, found 'tcp:localhost:1'"
        ),
        (
            ["decode", "6908"],
            "bluefleet decode: missing argument CHARACTERISTIC before '6908', e.g. bluefleet decode temperature 6908, or "
                + "--format, or --advertisement"
        ),
        (
            ["decode", "battery", "64"],
            "bluefleet decode: unknown characteristic 'battery': did you mean 'battery_level'?"
        ),
        (["--config", "x", "run"], "bluefleet: --config must follow a command, e.g. bluefleet run --config FILE"),
        (["scan", "10s"], "bluefleet scan: unexpected argument '10s': did you mean bluefleet scan --for 10s?"),
        (["scan", "--duration", "10s"], "bluefleet scan: unknown option '--duration': did you mean '--for'?"),
        (["status", "--host", "x"], "bluefleet status: unknown option '--host': did you mean '--url'?"),
        (
            ["run", "--verbose"],
            "bluefleet run: unknown option '--verbose': write log: debug into the configuration"
        ),
        (["init"], "bluefleet: unknown command 'init': bluefleet help --example prints a configuration"),
        (["check", "--file", "x"], "bluefleet check: unknown option '--file': did you mean '--config'?"),
        (
            ["pair", "C0:00:00:00:00:01", "012345"],
            "bluefleet pair: unexpected argument '012345': "
                + "did you mean bluefleet pair C0:00:00:00:00:01 --passkey 012345?"
        ),
        (["read", "C0:00:00:00:00:01", "2A6E", "2A6F"], "bluefleet read: unexpected argument '2A6F'"),
        (["scan", "file.yaml"], "bluefleet scan: unexpected argument 'file.yaml'"),
        (
            ["decode", "temprature", "6908"],
            "bluefleet decode: unknown characteristic 'temprature': did you mean 'temperature'?"
        ),
        (
            ["decode", "enviromental_sensing/temperature", "6908"],
            "bluefleet decode: unknown service 'enviromental_sensing': did you mean 'environmental_sensing'?"
        ),
        (
            ["decode", "xyz", "6908"],
            "bluefleet decode: unknown characteristic 'xyz': expected a Bluetooth SIG name or a UUID"
        ),
    ]

    @Test(arguments: mistakes)
    func `an invalid argument is reported with the most similar valid one`(words: [String], answer: String) throws {
        let outcome = try Bluefleet.run(words)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        let lines = outcome.error.split(separator: "\n")
        #expect(lines.first.map(String.init) == answer)
        #expect(lines.last?.hasPrefix("Try: bluefleet ") == true)
    }

    @Test func `a missing value is reported`() throws {
        #expect(try Bluefleet.run("check", "--config").error.contains("--config needs a value: --config FILE"))
        for words in [["check", "--config="], ["run", "--bus", ""], ["decode", "--format=", "6908"]] {
            let outcome = try Bluefleet.run(words)
            #expect(outcome.status == 64)
            #expect(outcome.error.contains(" needs a value: --"))
        }
        let demo = try Bluefleet.run("demo", "--for")
        #expect(demo.error.hasPrefix("bluefleet demo: --for needs a duration, e.g. --for 30s\n"))
        #expect(try Bluefleet.run("decode", "temperature").error.contains("missing argument HEX: "))
    }

    @Test func `a long message is wrapped to 80 columns only on a terminal`() {
        let words = String(repeating: "word ", count: 30)
        let message = "the description of the fleet has mistakes: \(words)end\n  07\n  ^"
        let failure = Failure(.badData, message)
        #expect(failure.text(by: "bluefleet simulate", wraps: false) == "bluefleet simulate: \(message)")
        let lines = (failure.text(by: "bluefleet simulate", wraps: true) ?? "").split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines.allSatisfy { $0.count < 80 })
        #expect(lines[0].hasPrefix("bluefleet simulate: the description of the fleet has mistakes: word "))
        #expect(lines[1].hasPrefix("  word "))
        #expect(lines[3...] == ["  07", "  ^"])
        #expect(Failure(.interrupted).text(by: "bluefleet scan", wraps: true) == nil)
    }

    @Test func `a missing command line is reported`() {
        #expect(Program.run([]) == .unavailable)
        #expect(Program.run(["bluefleet"]) == .usage)
    }
}

import Testing

@testable import bluefleet

@Suite struct UsageTests {
    /// What is typed, and what the first line of the answer is.
    static let mistakes: [(words: [String], answer: String)] = [
        (["chekc"], "bluefleet: unknown command 'chekc': did you mean 'check'?"),
        (["dec"], "bluefleet: unknown command 'dec': did you mean 'decode'?"),
        (["--verison"], "bluefleet: unknown option '--verison': did you mean '--version'?"),
        (["help", "decod"], "bluefleet help: unknown command 'decod': did you mean 'decode'?"),
        (["check", "--confg", "x"], "bluefleet check: unknown option '--confg': did you mean '--config'?"),
        (["check", "-c", "x"], "bluefleet check: unknown option '-c': did you mean '--config'?"),
        (["check", "-v"], "bluefleet check: unknown option '-v': known: --config, --json, --help"),
        (["check", "--help=1"], "bluefleet check: --help takes no value, found '1'"),
        (["check", "--json=yes"], "bluefleet check: --json takes no value, found 'yes'"),
        (["check", "--json", "--json"], "bluefleet check: --json is given twice"),
        (["help", "--configuration", "all"], "bluefleet help: 'all' is one word too many beside --configuration"),
        (["help", "check", "--man"], "bluefleet help: 'check' is one word too many beside --man"),
        (["help", "--man", "--example"], "bluefleet help: --man and --example: only one of them"),
        (
            ["check", "file.yaml"],
            "bluefleet check: 'file.yaml' is one word too many: bluefleet check --config file.yaml"
        ),
        (
            ["check", "--config", "file.yaml", "other.yaml"],
            "bluefleet check: 'other.yaml' is one word too many"
        ),
        (["scan", "file.yaml"], "bluefleet scan: 'file.yaml' is one word too many"),
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
            "bluefleet decode: unknown characteristic 'xyz': expected a name of the Bluetooth SIG, or a UUID"
        ),
    ]

    @Test(arguments: mistakes)
    func `what cannot be meant is answered with what was probably meant`(words: [String], answer: String) throws {
        let outcome = try Bluefleet.run(words)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        let lines = outcome.error.split(separator: "\n")
        #expect(lines.first.map(String.init) == answer)
        #expect(lines.last?.hasPrefix("Try: bluefleet ") == true)
    }

    @Test func `a value that is missing is named`() throws {
        #expect(try Bluefleet.run("check", "--config").error.contains("--config needs a value: --config FILE"))
        for words in [["check", "--config="], ["run", "--bus", ""], ["decode", "--format=", "6908"]] {
            let outcome = try Bluefleet.run(words)
            #expect(outcome.status == 64)
            #expect(outcome.error.contains(" needs a value: --"))
        }
        #expect(try Bluefleet.run("decode", "temperature").error.contains("HEX is missing"))
    }

    @Test func `a terminal gets a long message in lines of 80 columns, a program gets it whole`() {
        let words = String(repeating: "word ", count: 30)
        let message = "the fleet's description has mistakes: \(words)end\n  07\n  ^"
        let failure = Failure(.badData, message)
        #expect(failure.text(by: "bluefleet simulate", wraps: false) == "bluefleet simulate: \(message)")
        let lines = (failure.text(by: "bluefleet simulate", wraps: true) ?? "").split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines.allSatisfy { $0.count < 80 })
        #expect(lines[0].hasPrefix("bluefleet simulate: the fleet's description has mistakes: word "))
        #expect(lines[1].hasPrefix("  word "))
        #expect(lines[3...] == ["  07", "  ^"])
        #expect(Failure(.interrupted).text(by: "bluefleet scan", wraps: true) == nil)
    }

    @Test func `where the system does not tell what was typed, it says so`() {
        #expect(Program.run([]) == .unavailable)
        #expect(Program.run(["bluefleet"]) == .usage)
    }
}

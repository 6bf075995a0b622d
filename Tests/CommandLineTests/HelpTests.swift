import TestTraits
import Testing

@testable import bluefleet

@Suite(.ownThreads) struct HelpTests {
    static let commands = Program.commands.map { $0.name }

    @Test func `the overview contains every command with its summary`() throws {
        let help = try Bluefleet.run("--help")
        #expect(help.status == 0)
        #expect(help.error == "")
        for command in Program.commands {
            #expect(help.lines.contains { $0.hasPrefix("  \(command.name) ") && $0.hasSuffix(command.summary) })
        }
        #expect(try Bluefleet.run("help").output == help.output)
        #expect(try Bluefleet.run("-h").output == help.output)
    }

    @Test(arguments: commands)
    func `every command shows its usage and an example, in 80 columns`(name: String) throws {
        let help = try Bluefleet.run(name, "--help")
        #expect(help.status == 0)
        #expect(help.output.contains("Usage: bluefleet \(name)"))
        #expect(help.output.contains("Example"))
        #expect(help.output.contains("\n  bluefleet "))
        #expect(help.lines.allSatisfy { $0.count < 80 })
        #expect(try Bluefleet.run("help", name).output == help.output)
    }

    @Test func `without a command, the overview is printed as an error`() throws {
        let outcome = try Bluefleet.run()
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(outcome.error == (try Bluefleet.run("--help").output))
    }

    @Test func `the version is a line`() throws {
        let version = try Bluefleet.run("--version")
        #expect(version.status == 0)
        #expect(version.output == "bluefleet \(Program.version)\n")
        let result = #"{"name":"bluefleet","version":"\#(Program.version)"}"# + "\n"
        #expect(try Bluefleet.run("version", "--json").output == result)
        #expect(try Bluefleet.run("--version", "--json").output == result)
    }
}

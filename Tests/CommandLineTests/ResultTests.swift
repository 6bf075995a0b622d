import EventLoop
import Foundation
import System
import TestSupport
import TestTraits
import Testing

/// Results that cannot be written.
@Suite(.ownThreads) struct ResultTests {
    /// Runs a command in a shell, which redirects its result.
    private func run(_ words: String, _ redirection: String) throws -> Bluefleet.Outcome {
        let shell = try Command(
            "sh", ["-c", "\"$0\" \(words) \(redirection)", Bluefleet.path.path], output: .ownPipe)
        let (output, error) = (shell.output.rest(), shell.error.rest())
        return Bluefleet.Outcome(status: shell.wait().shellStatus, output: output, error: error)
    }

    @Test(arguments: ["decode temperature 6908", "help --configuration", "check --help", "version"])
    func `a full disk is a failure`(words: String) throws {
        let outcome = try run(words, "> /dev/full")
        #expect(outcome.status == 69)
        #expect(outcome.error.hasSuffix(": cannot write the result: No space left on device\n"))
    }

    @Test func `a closed standard output is a failure`() throws {
        let outcome = try run("encode temperature 21.53", ">&-")
        #expect(outcome.status == 69)
        #expect(outcome.error == "bluefleet encode: cannot write the result: Bad file descriptor\n")
    }

    @Test func `an opened file does not replace a closed stream`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let fleet = try folder.write("peripherals: {}\n", to: "fleet.yaml")
        let outcome = try run("simulate \(fleet) --bus unix:path=/nowhere/bus", "<&- >&- 2>&-; echo $?")
        #expect(outcome.output == "69\n")
    }

    @Test func `an argument that is not UTF-8 is rejected`() throws {
        let outcome = try run("check --config \"$(printf '\\377.yaml')\"", "")
        #expect(outcome.status == 64)
        #expect(outcome.error.hasPrefix("bluefleet: '\u{FFFD}.yaml' is not valid UTF-8: "))
    }

    @Test func `a closed pipe is not a failure`() throws {
        let outcome = try run("help --configuration", "| head -n 1")
        #expect(outcome.status == 0)
        #expect(outcome.output == "# Configuration keys\n")
        #expect(outcome.error == "")
    }
}

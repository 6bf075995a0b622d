import Foundation
import TestSupport
import TestTraits
import Testing

@testable import bluefleet

/// The manual page and the completions.
@Suite(.ownThreads) struct ManualTests {
    @Test func `the manual page has every command and option, and troff accepts it`() throws {
        let page = try Bluefleet.run("help", "--man")
        #expect(page.status == 0)
        #expect(page.output.hasPrefix(".TH BLUEFLEET 1"))
        for command in Program.commands {
            #expect(page.output.contains("\n.SS bluefleet \(command.name)"))
            for option in command.options {
                #expect(page.output.contains(".B \\-\\-\(option.name.split(separator: "-").joined(separator: "\\-"))"))
            }
        }
        try Bluefleet.withFile(page.output) { file in
            let groff = try Command("groff", ["-man", "-Tutf8", "-ww", "-z", file])
            #expect(groff.waitForOutput() == "")
            #expect(groff.wait() == .code(0))
        }
    }

    static let completions: [(line: String, word: String)] = [
        ("bluefleet sc", "scan"), ("bluefleet inspect --y", "--yaml"),
        ("bluefleet read C0:00:00:00:00:01 temp", "temperature"),
        ("bluefleet help --completion z", "zsh"), ("bluefleet help dem", "demo"),
    ]

    @Test(arguments: completions)
    func `bash completes commands, options and names`(line: String, word: String) throws {
        let script = try Bluefleet.run("help", "--completion", "bash").output
        try Bluefleet.withFile(script) { file in
            let words = line.split(separator: " ").map { "'\($0)'" }
            let bash = try Command(
                "bash",
                [
                    "-c",
                    "source \(file); COMP_WORDS=(\(words.joined(separator: " "))); COMP_CWORD=\(words.count - 1); "
                        + "_bluefleet; echo \"${COMPREPLY[@]}\"",
                ])
            #expect(bash.waitForOutput().split(separator: " ").first.map { $0.filter { !$0.isNewline } } == word)
        }
    }

    @Test(arguments: ["zsh", "fish"])
    func `zsh and fish complete every command and option`(shell: String) throws {
        let script = try Bluefleet.run("help", "--completion", shell).output
        for command in Program.commands {
            #expect(script.contains(command.name))
            for option in command.options { #expect(script.contains(option.name)) }
        }
    }

    @Test func `source registers the completions in zsh`() throws {
        let script = try Bluefleet.run("help", "--completion", "zsh").output
        try Bluefleet.withFile(script) { file in
            let zsh = try Command("zsh", ["-f", "-c", "compdef() { echo $* }; source \(file)"])
            #expect(zsh.waitForOutput() == "_bluefleet bluefleet\n")
        }
    }

    @Test func `an unknown shell is rejected`() throws {
        let outcome = try Bluefleet.run("help", "--completion", "fihs")
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("unknown shell 'fihs': did you mean 'fish'?"))
    }
}

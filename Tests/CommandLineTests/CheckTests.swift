import EventLoop
import Foundation
import System
import TestSupport
import TestTraits
import Testing

@Suite(.ownThreads) struct CheckTests {
    @Test func `the complete example is valid`() throws {
        let file = Bluefleet.project.appendingPathComponent("config/bluefleet.yaml").path
        let outcome = try Bluefleet.run("check", "--config", file)
        #expect(outcome.status == 0)
        #expect(
            outcome.output == """
                \(file) is valid

                  gateway  attic
                  broker   mqtt://localhost:1883, topics below bluefleet
                  devices  4 (1 always, 1 every 10m, 1 on demand, 1 never)
                  fleet    1 rule

                """)
    }

    @Test func `the questions of a device are printed in their order`() throws {
        let file = """
            devices:
              battery:
                address: C0:00:00:00:00:01
                ask: {to: FFF2}
                answer: {from: FFF1, checksum: sum}
                first: [{ask: {hex: "01"}}]
                characteristics:
                  login: {ask: {hex: "01", when: pin}, answer: {starts_with: "01"}}
                  status: {ask: A501, answer: {starts_with: A5}, format: [A501, {name: cells, type: uint8}, rest]}
                  cells: {ask: {format: ["A6", {name: n, type: uint8, value: status.cells}]}, answer: {starts_with: "A6"}}
                  mode: {write: true, ask: {format: ["B0", {name: mode, type: uint8}]}, answer: {starts_with: B0}}
            """
        try Bluefleet.withFile(file) { file in
            let outcome = try Bluefleet.run("check", file)
            #expect(outcome.status == 0)
            #expect(
                outcome.output.hasSuffix(
                    """

                      battery is asked, in this order:
                        subscribe   FFF1
                        first 1     FFF2 01
                        login       FFF2 (never asked: pin is false)
                        status      FFF2 a501
                        cells       FFF2 (ask: n: needs status.cells)
                        mode        FFF2 (on request)


                    """), "\(outcome.output)")
        }
    }

    @Test func `check, run and doctor accept the file as an argument`() throws {
        try Bluefleet.withFile("gatway: attic\n") { file in
            let check = try Bluefleet.run("check", file)
            #expect(check.status == 78)
            #expect(check.output == "\(file):1:1: unknown key 'gatway': did you mean 'gateway'?\n")
            #expect(try Bluefleet.run("run", file).error.contains(check.output))
            #expect(try Bluefleet.run("doctor", file, "--bus", "unix:path=/nowhere").output.contains("'gatway'"))
        }
    }

    @Test func `the files of conf.d are listed`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        let addition = folder.appendingPathComponent("conf.d/more.yaml")
        let file = folder.appendingPathComponent("bluefleet.yaml")
        try FileManager.default.createDirectory(
            at: addition.deletingLastPathComponent(), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try "gateway: attic\n".write(to: file, atomically: true, encoding: .utf8)
        try "devices: {porch: {address: C0:00:00:00:00:01}}\n".write(to: addition, atomically: true, encoding: .utf8)
        let words = try Bluefleet.run("check", file.path).output.split(whereSeparator: \.isWhitespace)
        #expect(words.suffix(2) == ["with", "\(addition.path)"])
        let json = try Bluefleet.run("check", "--json", file.path).output
        #expect(json.contains(#""additions":["\#(addition.path)"]"#))
    }

    @Test func `configuration.md shows the complete example`() throws {
        let folder = Bluefleet.project.appendingPathComponent("config")
        let file = folder.appendingPathComponent("bluefleet.yaml")
        let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        // Without the comment at the top.
        let example = lines.drop { $0.isEmpty || $0.hasPrefix("#") }.joined(separator: "\n")
        let page = try String(contentsOf: folder.appendingPathComponent("configuration.md"), encoding: .utf8)
        #expect(page.contains("```yaml\n\(example)```"))
    }

    @Test func `every mistake is a line with its position, in the order of the file`() throws {
        let yaml = "gatway: attic\nmqtt:\n  url: http://localhost\n  qos: 3\n"
        try Bluefleet.withFile(yaml) { file in
            let outcome = try Bluefleet.run("check", "--config=\(file)")
            #expect(outcome.status == 78)
            #expect(outcome.lines.count == 3)
            #expect(outcome.lines[0].hasPrefix("\(file):1:1: unknown key 'gatway': did you mean 'gateway'?"))
            #expect(outcome.lines[1].hasPrefix("\(file):3:8: "))
            #expect(outcome.lines[2].hasPrefix("\(file):4:8: "))
            #expect(outcome.error == "bluefleet check: 3 mistakes in \(file)\n")
        }
    }

    @Test func `--json prints the mistakes as JSON`() throws {
        try Bluefleet.withFile("gatway: attic\n") { file in
            let outcome = try Bluefleet.run("check", "--json", "--config", file)
            #expect(outcome.status == 78)
            let result = try #require(
                try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
            let mistakes = try #require(result["mistakes"] as? [[String: Any]])
            #expect(mistakes.count == 1)
            #expect(mistakes.first?["line"] as? Int == 1)
            #expect(mistakes.first?["column"] as? Int == 1)
            #expect((mistakes.first?["message"] as? String)?.hasPrefix("unknown key 'gatway'") == true)
        }
    }

    @Test func `warnings are reported in addition to mistakes`() throws {
        let yaml = "gatway: attic\nmqtt:\n  username: me\n  password_file: /nowhere/password\n"
        try Bluefleet.withFile(yaml) { file in
            let outcome = try Bluefleet.run("check", "--config", file)
            #expect(outcome.status == 78)
            #expect(outcome.lines.count == 1)
            #expect(outcome.error.hasPrefix("\(file):4:18: warning: cannot read /nowhere/password: "))
            let json = try Bluefleet.run("check", "--json", "--config", file)
            let result = try #require(
                try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
            #expect((result["mistakes"] as? [[String: Any]])?.map { $0["line"] as? Int } == [1])
            #expect((result["warnings"] as? [[String: Any]])?.map { $0["line"] as? Int } == [4])
        }
    }

    @Test func `a missing file is a mistake without a position`() throws {
        let outcome = try Bluefleet.run("check", "--config", "/nowhere/bluefleet.yaml")
        #expect(outcome.status == 78)
        #expect(outcome.output == "/nowhere/bluefleet.yaml: cannot read the file: No such file or directory\n")
        #expect(outcome.error.contains("bluefleet help --example prints an example"))
    }

    @Test func `control characters in the name of a file are not printed`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = try folder.write("gatway: attic\n", to: "a\u{1B}[31m\nb.yaml")
        let name = folder.path("a\u{FFFD}[31m\u{FFFD}b.yaml")
        for command in ["check", "run", "simulate"] {
            let words = command == "simulate" ? [command, file] : [command, "--config", file]
            let outcome = try Bluefleet.run(words)
            #expect((outcome.output + outcome.error).contains("\(name):1:1: unknown key 'gatway'"))
            #expect(!(outcome.output + outcome.error).contains("\u{1B}"))
        }
        let check = try Bluefleet.run("check", "--config", file, "--json")
        let result = try #require(
            try JSONSerialization.jsonObject(with: Data(check.output.utf8)) as? [String: Any])
        #expect(result["file"] as? String == file)
    }

    @Test func `a missing file that the configuration names causes a warning`() throws {
        let yaml = "mqtt:\n  username: me\n  password_file: /nowhere/password\n"
        try Bluefleet.withFile(yaml) { file in
            let outcome = try Bluefleet.run("check", "--config", file)
            #expect(outcome.status == 0)
            #expect(outcome.error.hasPrefix("\(file):3:18: warning: "))
        }
    }

    @Test func `a key without effect causes a warning`() throws {
        let yaml = """
            devices:
              scale:
                address: C0:00:00:00:00:01
                characteristics: {heart: {uuid: 2A37, subscribe: true, unit: bpm}}
            """
        try Bluefleet.withFile(yaml) { file in
            let outcome = try Bluefleet.run("check", "--config", file)
            #expect(outcome.status == 0)
            #expect(outcome.error.hasPrefix("\(file):4:66: warning: unit has no effect here: "))
        }
    }

    @Test func `a configuration is read from a pipe`() throws {
        let check = try Command(
            Bluefleet.path.path, ["check", "--config", "/dev/stdin"], output: .ownPipe, takesInput: true)
        try check.write("mqtt:\n  username: me\n  password_file: /nowhere/password")
        try check.endInput()
        let (output, error) = (check.output.rest(), check.error.rest())
        #expect(check.wait() == .code(0))
        #expect(output.hasPrefix("/dev/stdin is valid"))
        #expect(error.hasPrefix("/dev/stdin:3:18: warning: "))
    }
}

import EventLoop
import Foundation
import TestSupport
import Testing

@testable import bluefleet

/// The demo as a person meets it: one process, whose whole product is behind it.
@Suite struct DemoTests {
    /// A demo that is up, and what it has started.
    private struct Stage {
        let demo: RunningBluefleet
        let port: String
        /// What it has started, by the name of the program.
        let children: [String: Int32]
        let folder: String

        init(_ demo: RunningBluefleet) throws {
            self.demo = demo
            let advice = try #require(demo.error.line(containing: "mosquitto_sub"))
            port = try #require(advice.firstMatch(of: /-p (\d+)/)).output.1.description
            var commands: [String: String] = [:]
            var children: [String: Int32] = [:]
            for child in demo.children {
                let words = try String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)
                let program = String(words.prefix { $0 != "\0" }.split(separator: "/").last ?? "")
                commands[program] = words
                children[program] = child
            }
            self.children = children
            let bus = try #require(commands["dbus-daemon"]?.firstMatch(of: /--config-file=(.*)\/bus.conf/))
            folder = String(bus.output.1)
        }

        /// Holds it to having left nothing behind.
        func expectNothingLeft() {
            #expect(children.count == 2)
            for child in children.values { RunningBluefleet.waitForEnd(of: child) }
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    @Test func `in a pipe each reading is a line, and the relay can be switched`() throws {
        let stage = try Stage(try RunningBluefleet("demo"))
        let line = try #require(stage.demo.output.line(containing: "climate/temperature"))
        #expect(line.wholeMatch(of: /\d{4}-\d\d-\d\dT[\d:.]+Z bluefleet\/climate\/temperature -?[\d.]+ °C/) != nil)
        let pulse = try #require(stage.demo.output.line(containing: "strap/heart_rate"))
        #expect(pulse.contains(" bpm"))
        let porch = try #require(stage.demo.output.line(containing: "porch/temperature"))
        #expect(porch.wholeMatch(of: /[\d:.TZ-]+ bluefleet\/porch\/temperature -?[\d.]+ °C/) != nil)

        let switching = try Command(
            "mosquitto_pub",
            ["-h", "127.0.0.1", "-p", stage.port, "-t", "bluefleet/relay/output/set", "-m", "true"])
        #expect(switching.wait() == .code(0))
        #expect(stage.demo.output.line(containing: "bluefleet/relay/state true") != nil)

        stage.demo.send(SIGINT)
        #expect(stage.demo.exit() == 0)
        stage.expectNothingLeft()
    }

    @Test func `programs get a JSON object for each reading`() throws {
        let stage = try Stage(try RunningBluefleet("demo", "--json"))
        let line = try #require(stage.demo.output.line())
        let reading = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect((reading["topic"] as? String)?.hasPrefix("bluefleet/") == true)
        #expect((reading["payload"] as? [String: Any])?["time"] != nil)
        stage.demo.send(SIGTERM)
        #expect(stage.demo.exit() == 0)
        stage.expectNothingLeft()
    }

    @Test func `it runs on one thread`() throws {
        let stage = try Stage(try RunningBluefleet("demo"))
        #expect(stage.demo.output.line(containing: "climate/temperature") != nil)
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(stage.demo.identifier)/task")
        #expect(threads.count == 1)
        stage.demo.send(SIGHUP)
        #expect(stage.demo.exit() == 0)
        stage.expectNothingLeft()
    }

    @Test func `a reader that goes away ends it`() throws {
        let stage = try Stage(try RunningBluefleet("demo"))
        #expect(stage.demo.output.line() != nil)
        try stage.demo.output.close()
        #expect(stage.demo.exit() == 0)
        stage.expectNothingLeft()
    }

    @Test func `whoever cannot wait interrupts twice`() throws {
        let stage = try Stage(try RunningBluefleet("demo"))
        #expect(stage.demo.output.line() != nil)
        // The first ends the sessions, and a simulated device takes its time to disconnect, as a real one does.
        stage.demo.send(SIGINT)
        #expect(stage.demo.error.line(containing: "Ending") != nil)
        stage.demo.send(SIGINT)
        #expect(stage.demo.exit() == 130)
        stage.expectNothingLeft()
    }

    @Test(arguments: ["mosquitto", "dbus-daemon"])
    func `a program of it that dies ends it, and is named`(program: String) throws {
        let stage = try Stage(try RunningBluefleet("demo"))
        kill(try #require(stage.children[program]), SIGTERM)
        #expect(stage.demo.error.line(containing: "\(program) has ended by itself") != nil)
        #expect(stage.demo.exit() == 69)
        stage.expectNothingLeft()
    }

    @Test func `it ends by itself when its time is over`() throws {
        let demo = try Bluefleet.run("demo", "--for", "4s")
        #expect(demo.status == 0)
        #expect(demo.output.contains("bluefleet/relay/state false"))
        #expect(try Bluefleet.run("demo", "--for", "soon").status == 64)
    }

    @Test func `on a terminal it is a table that stays in its place`() throws {
        let terminal = try Pseudoterminal(columns: 80, rows: 24)
        let demo = try RunningBluefleet("demo", environment: ["TERM": "xterm"], terminal: terminal.device)
        let drawn = terminal.read(until: "strap    heart_rate")
        #expect(drawn.hasPrefix("\u{1B}[?1049h"))
        let picture = try #require(drawn.components(separatedBy: "\u{1B}[H").last)
        let lines = picture.split(separator: "\r\n").map { $0.prefix { $0 != "\u{1B}" } }
        #expect(lines.contains { $0.hasPrefix("DEVICE ") })
        #expect(lines.allSatisfy { $0.count < 80 })
        #expect(lines.contains { $0.hasPrefix("  mosquitto_sub -h 127.0.0.1 -p ") })
        demo.send(SIGINT)
        #expect(demo.exit() == 0)
        #expect(terminal.read(until: "\u{1B}[?1049l").hasSuffix("\u{1B}[?1049l"))
    }

    @Test func `a program that is missing is named with its package`() {
        let missing = ExternalProgram(name: "no-such-program", package: "its-package")
        let failure = #expect(throws: Failure.self) { try ExternalProgram.require(.broker, missing) }
        #expect(failure?.status == .unavailable)
        #expect(failure?.message == "no-such-program cannot be found: sudo apt install its-package")
    }

    @Test(arguments: ["mosquitto", "dbus-daemon"])
    func `a program of the demo that does not start is told with its own words`(program: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        _ = try folder.program("echo 'a warning\nno memory left'\nexit 1", named: program)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let demo = try Bluefleet.run(["demo"], environment: ["PATH": "\(folder.path):\(path)"])
        #expect(demo.status == 69)
        #expect(demo.error == "bluefleet demo: \(program) ended at once: no memory left\n")
    }
}

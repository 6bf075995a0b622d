import EventLoop
import Foundation
import System
import TestSupport
import TestTraits
import Testing

@testable import bluefleet

/// The demo, run as a process.
@Suite(.ownThreads) struct DemoTests {
    /// A running demo and the programs that it has started.
    private struct Fixture {
        let demo: RunningBluefleet
        let port: String
        /// The started processes, by the name of the program.
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

        /// Checks that no process and no file remains.
        func expectNothingLeft() {
            #expect(children.keys.sorted() == ["bluefleet-dashboard", "dbus-daemon", "mosquitto"])
            for child in children.values { RunningBluefleet.waitForEnd(of: child) }
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    @Test func `the demo opens a page with its devices`() throws {
        let demo = try RunningBluefleet("demo")
        let line = try #require(demo.error.line(containing: "Open in a browser: http://127.0.0.1:"))
        let address = try #require(line.split(separator: " ").last.map { $0.dropLast() })
        #expect(demo.output.line(containing: "climate/temperature") != nil)
        let page = try Command("curl", ["-s", "\(address)/api/summary"])
        #expect(page.waitForOutput().contains(#""name":"climate","gateway":"demo""#))
        demo.send(SIGINT)
        #expect(demo.exit() == 0)
    }

    @Test func `in a pipe, each reading is a line, and the relay can be switched`() throws {
        let fixture = try Fixture(try RunningBluefleet("demo"))
        let line = try #require(fixture.demo.output.line(containing: "climate/temperature"))
        #expect(line.wholeMatch(of: /\d{4}-\d\d-\d\dT[\d:.]+Z bluefleet\/climate\/temperature -?[\d.]+ °C/) != nil)
        let pulse = try #require(fixture.demo.output.line(containing: "strap/heart_rate"))
        #expect(pulse.contains(" bpm"))
        let porch = try #require(fixture.demo.output.line(containing: "porch/temperature"))
        #expect(porch.wholeMatch(of: /[\d:.TZ-]+ bluefleet\/porch\/temperature -?[\d.]+ °C/) != nil)

        let switching = try Command(
            "mosquitto_pub",
            ["-h", "127.0.0.1", "-p", fixture.port, "-t", "bluefleet/relay/output/set", "-m", "true"])
        #expect(switching.wait() == .code(0))
        #expect(fixture.demo.output.line(containing: "bluefleet/relay/state true") != nil)

        fixture.demo.send(SIGINT)
        #expect(fixture.demo.exit() == 0)
        fixture.expectNothingLeft()
    }

    @Test func `--json prints one object per reading`() throws {
        let fixture = try Fixture(try RunningBluefleet("demo", "--json"))
        let line = try #require(fixture.demo.output.line())
        let reading = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect((reading["topic"] as? String)?.hasPrefix("bluefleet/") == true)
        #expect((reading["payload"] as? [String: Any])?["time"] != nil)
        fixture.demo.send(SIGTERM)
        #expect(fixture.demo.exit() == 0)
        fixture.expectNothingLeft()
    }

    @Test func `the demo runs on one thread`() throws {
        let fixture = try Fixture(try RunningBluefleet("demo"))
        #expect(fixture.demo.output.line(containing: "climate/temperature") != nil)
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(fixture.demo.identifier)/task")
        #expect(threads.count == 1)
        fixture.demo.send(SIGHUP)
        #expect(fixture.demo.exit() == 0)
        fixture.expectNothingLeft()
    }

    @Test func `a closed pipe ends the demo`() throws {
        let fixture = try Fixture(try RunningBluefleet("demo"))
        #expect(fixture.demo.output.line() != nil)
        try fixture.demo.output.close()
        #expect(fixture.demo.exit() == 0)
        fixture.expectNothingLeft()
    }

    @Test func `a second interrupt ends the demo at once`() throws {
        let fixture = try Fixture(try RunningBluefleet("demo"))
        #expect(fixture.demo.output.line() != nil)
        // The first signal ends the sessions. A simulated device takes some time to disconnect, like a real one.
        fixture.demo.send(SIGINT)
        #expect(fixture.demo.error.line(containing: "Stopping") != nil)
        fixture.demo.send(SIGINT)
        #expect(fixture.demo.exit() == 130)
        fixture.expectNothingLeft()
    }

    @Test(arguments: ["mosquitto", "dbus-daemon"])
    func `the unexpected end of a program ends the demo and is reported`(program: String) throws {
        let fixture = try Fixture(try RunningBluefleet("demo"))
        kill(try #require(fixture.children[program]), SIGTERM)
        #expect(fixture.demo.error.line(containing: "\(program) has ended unexpectedly") != nil)
        #expect(fixture.demo.exit() == 69)
        fixture.expectNothingLeft()
    }

    @Test func `the demo ends after its duration`() throws {
        // The readings until then depend on the speed of the machine.
        #expect(try Bluefleet.run("demo", "--for", "1s").status == 0)
        #expect(try Bluefleet.run("demo", "--for", "soon").status == 64)
    }

    @Test func `on a terminal, the demo shows a table in place`() throws {
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
        // The last table remains on the ordinary screen.
        let rest = terminal.next(until: "porch    humidity").components(separatedBy: "\u{1B}[?1049l")
        #expect(rest.last?.contains("DEVICE ") == true)
        #expect(rest.last?.contains("strap    heart_rate") == true)
    }

    @Test func `a missing program is reported with its package`() {
        let missing = ExternalProgram(name: "no-such-program", package: "its-package")
        let failure = #expect(throws: Failure.self) { try ExternalProgram.require(.broker, missing) }
        #expect(failure?.status == .unavailable)
        #expect(failure?.message == "no-such-program not found: sudo apt install its-package")
    }

    @Test(arguments: ["mosquitto", "dbus-daemon"])
    func `a program that does not start is reported with its last message`(program: String) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        _ = try folder.program("echo 'a warning\nno memory left'\nexit 1", named: program)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let demo = try Bluefleet.run(["demo"], environment: ["PATH": "\(folder.path):\(path)"])
        #expect(demo.status == 69)
        #expect(demo.error == "bluefleet demo: \(program) ended at once: no memory left\n")
    }
}

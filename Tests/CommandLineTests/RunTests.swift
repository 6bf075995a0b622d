import Foundation
import System
import TestSupport
import TestTraits
import Testing

@Suite(.ownThreads) struct RunTests {
    private let configuration =
        "gateway: test\nmqtt:\n  url: unix:///nowhere/mosquitto.sock\nhome_assistant:\n  discovery: none\n"

    /// Calls `body` with a file of the configuration; the state is in a folder of its own.
    private func withConfiguration(_ body: (String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try Bluefleet.withFile(configuration + "state_directory: \(folder.path("state"))\n", body)
    }

    /// Starts the bridge without a bus and a broker.
    ///
    /// The bridge waits for both.
    private func start(_ file: String) throws -> RunningBluefleet {
        let bridge = try RunningBluefleet("run", "--config", file, "--bus", "unix:path=/nowhere/bus")
        #expect(bridge.error.line(containing: "/nowhere/bus") != nil)
        return bridge
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal to stop ends the bridge with status 0`(signal: Int32) throws {
        try withConfiguration { file in
            let bridge = try start(file)
            bridge.send(signal)
            #expect(bridge.exit() == 0)
        }
    }

    @Test func `a signal ends the bridge although the reader of its log has stopped`() throws {
        try withConfiguration { file in
            let bridge = try start(file)
            // Another writer fills the pipe, which nobody reads from now on.
            let pipe = open("/proc/\(bridge.identifier)/fd/2", O_WRONLY | O_NONBLOCK)
            try #require(pipe >= 0)
            defer { close(pipe) }
            let text = [UInt8](repeating: 0x78, count: 4096)
            while write(pipe, text, text.count) > 0 {}
            bridge.send(SIGHUP)
            bridge.send(SIGTERM)
            #expect(bridge.exit() == 0)
        }
    }

    @Test func `a second bridge with the same state directory does not start`() throws {
        try withConfiguration { file in
            let bridge = try start(file)
            let second = try Bluefleet.run("run", "--config", file, "--bus", "unix:path=/nowhere/bus")
            #expect(second.status == 69)
            let advice = "stop that bridge, or use another state_directory"
            #expect(second.error.contains("state is in use by process \(bridge.identifier): \(advice)"))
            bridge.send(SIGKILL)
            _ = bridge.exit()
            let third = try start(file)
            third.send(SIGTERM)
            #expect(third.exit() == 0)
        }
    }

    @Test func `the bridge runs on one thread`() throws {
        try withConfiguration { file in
            let bridge = try start(file)
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(bridge.identifier)/task")
            #expect(threads.count == 1)
            bridge.send(SIGTERM)
            #expect(bridge.exit() == 0)
        }
    }

    @Test func `SIGHUP reloads the configuration, and rejects one with mistakes as a whole`() throws {
        try withConfiguration { file in
            let bridge = try start(file)
            bridge.send(SIGHUP)
            #expect(bridge.error.line(containing: "reloaded") != nil)
            try "gatway: test\n".write(toFile: file, atomically: true, encoding: .utf8)
            bridge.send(SIGHUP)
            #expect(bridge.error.line(containing: "\(file):1:1: unknown key 'gatway'") != nil)
            #expect(bridge.error.line(containing: "the old configuration stays") != nil)
            bridge.send(SIGTERM)
            #expect(bridge.exit() == 0)
        }
    }

    @Test func `each SIGHUP is logged, even if the message repeats`() throws {
        try withConfiguration { file in
            let bridge = try start(file)
            for _ in 1...2 {
                try configuration.write(toFile: file, atomically: true, encoding: .utf8)
                bridge.send(SIGHUP)
                #expect(bridge.error.line(containing: "reloaded") != nil)
                try "gatway: test\n".write(toFile: file, atomically: true, encoding: .utf8)
                bridge.send(SIGHUP)
                #expect(bridge.error.line(containing: "unknown key 'gatway'") != nil)
                #expect(bridge.error.line(containing: "the old configuration stays") != nil)
            }
            try FileManager.default.removeItem(atPath: file)
            bridge.send(SIGHUP)
            #expect(bridge.error.line(containing: "cannot read the file") != nil)
            #expect(bridge.error.line(containing: "the old configuration stays") != nil)
            bridge.send(SIGTERM)
            #expect(bridge.exit() == 0)
        }
    }

    @Test func `the warnings about the configuration are logged at the start and at each reload`() throws {
        try withConfiguration { file in
            let text = try String(contentsOfFile: file, encoding: .utf8)
            func write(reading: String) throws {
                let device = "{address: C0:00:00:00:00:01, characteristics: {temperature: \(reading)}}"
                try (text + "devices: {sensor: \(device)}\n").write(toFile: file, atomically: true, encoding: .utf8)
            }
            try write(reading: "{service: 181A, uuid: 2A6E, read: 50ms}")
            let bridge = try RunningBluefleet("run", "--config", file, "--bus", "unix:path=/nowhere/bus")
            #expect(bridge.error.line(containing: "warning gateway: \(file):7:") != nil)
            #expect(bridge.error.line(containing: "/nowhere/bus") != nil)
            try write(reading: "{service: 181A, uuid: 2A6E, read: 60ms}")
            bridge.send(SIGHUP)
            #expect(bridge.error.line(containing: "reloaded") != nil)
            #expect(bridge.error.line(containing: "warning gateway: \(file):7:") != nil)
            bridge.send(SIGTERM)
            #expect(bridge.exit() == 0)
        }
    }

    @Test func `a configuration with mistakes is reported, and the bridge does not start`() throws {
        try Bluefleet.withFile("gatway: test\nmqtt: {qos: 3}\n") { file in
            let outcome = try Bluefleet.run("run", "--config", file)
            #expect(outcome.status == 78)
            #expect(outcome.output == "")
            let lines = outcome.error.split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines[1].hasPrefix("\(file):1:1: "))
            #expect(lines[2].hasPrefix("\(file):2:13: "))
        }
    }

    @Test func `a missing configuration is reported with advice`() throws {
        let outcome = try Bluefleet.run("run", "--config", "/nowhere/x.yaml")
        #expect(outcome.status == 78)
        let reason = "/nowhere/x.yaml: cannot read the file: No such file or directory"
        #expect(outcome.error == "bluefleet run: \(reason); bluefleet help --example prints an example\n")
    }

    @Test func `an unreadable configuration is reported with the command that fixes it`() throws {
        try Bluefleet.withFile(configuration) { file in
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
            // Root can read the file unless it loses its capabilities.
            let words =
                geteuid() == 0 ? ["setpriv", "--bounding-set=-all", Bluefleet.path.path] : [Bluefleet.path.path]
            func run(_ command: String) throws -> Bluefleet.Outcome {
                let words = words + [command, "--config", file]
                let program = try Command(words[0], Array(words.dropFirst()), output: .ownPipe)
                let (output, error) = (program.output.rest(), program.error.rest())
                return Bluefleet.Outcome(status: program.wait().shellStatus, output: output, error: error)
            }
            let reason = "\(file): cannot read the file: Permission denied"
            let refused = try run("run")
            #expect(refused.status == 77)
            #expect(refused.error == "bluefleet run: \(reason): sudo chmod a+r \(file)\n")
            let check = try run("check")
            #expect(check.status == 78)
            #expect(check.output == "\(reason)\n")
            #expect(check.error == "bluefleet check: 1 mistake in \(file): sudo chmod a+r \(file)\n")
        }
    }

    @Test func `a missing password file prevents the start`() throws {
        try Bluefleet.withFile("mqtt:\n  username: me\n  password_file: /nowhere/password\n") { file in
            let outcome = try Bluefleet.run("run", "--config", file)
            #expect(outcome.status == 78)
            #expect(outcome.error.contains("\(file):3:18: "))
        }
    }
}

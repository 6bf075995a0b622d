import Foundation
import TestSupport
import Testing

@Suite struct RunTests {
    private let configuration =
        "gateway: test\nmqtt:\n  url: unix:///nowhere/mosquitto.sock\nhome_assistant:\n  discovery: none\n"

    /// Starts the bridge where there is neither a bus nor a broker: it waits for both.
    private func start(_ file: String) throws -> RunningBluefleet {
        let bridge = try RunningBluefleet("run", "--config", file, "--bus", "unix:path=/nowhere/bus")
        #expect(bridge.error.line(containing: "/nowhere/bus") != nil)
        return bridge
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal to stop is a clean end`(signal: Int32) throws {
        try Bluefleet.withFile(configuration) { file in
            let bridge = try start(file)
            bridge.send(signal)
            #expect(bridge.exit() == 0)
        }
    }

    @Test func `it runs on one thread`() throws {
        try Bluefleet.withFile(configuration) { file in
            let bridge = try start(file)
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(bridge.identifier)/task")
            #expect(threads.count == 1)
            bridge.send(SIGTERM)
            #expect(bridge.exit() == 0)
        }
    }

    @Test func `SIGHUP reads the configuration again, and refuses one with mistakes whole`() throws {
        try Bluefleet.withFile(configuration) { file in
            let bridge = try start(file)
            bridge.send(SIGHUP)
            #expect(bridge.error.line(containing: "read again") != nil)
            try "gatway: test\n".write(toFile: file, atomically: true, encoding: .utf8)
            bridge.send(SIGHUP)
            #expect(bridge.error.line(containing: "\(file):1:1: unknown key 'gatway'") != nil)
            #expect(bridge.error.line(containing: "the old configuration stays") != nil)
            bridge.send(SIGTERM)
            #expect(bridge.exit() == 0)
        }
    }

    @Test func `each SIGHUP is answered in the log, though the answer is one that was given before`() throws {
        try Bluefleet.withFile(configuration) { file in
            let bridge = try start(file)
            for _ in 1...2 {
                try configuration.write(toFile: file, atomically: true, encoding: .utf8)
                bridge.send(SIGHUP)
                #expect(bridge.error.line(containing: "read again") != nil)
                try "gatway: test\n".write(toFile: file, atomically: true, encoding: .utf8)
                bridge.send(SIGHUP)
                #expect(bridge.error.line(containing: "unknown key 'gatway'") != nil)
                #expect(bridge.error.line(containing: "the old configuration stays") != nil)
            }
            try FileManager.default.removeItem(atPath: file)
            bridge.send(SIGHUP)
            #expect(bridge.error.line(containing: "cannot open the file") != nil)
            #expect(bridge.error.line(containing: "the old configuration stays") != nil)
            bridge.send(SIGTERM)
            #expect(bridge.exit() == 0)
        }
    }

    @Test func `a configuration with mistakes is listed, and nothing is started`() throws {
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

    @Test func `a configuration that is not there has no mistakes`() throws {
        let outcome = try Bluefleet.run("run", "--config", "/nowhere/x.yaml")
        #expect(outcome.status == 78)
        let reason = "/nowhere/x.yaml: cannot open the file: No such file or directory"
        #expect(outcome.error == "bluefleet run: \(reason); bluefleet help --example prints one to begin with\n")
    }

    @Test func `a configuration that may not be read is a matter of permission, with the command that mends it`() throws
    {
        try Bluefleet.withFile(configuration) { file in
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
            // Root may read it all the same, unless that is taken from it.
            let words =
                geteuid() == 0 ? ["setpriv", "--bounding-set=-all", Bluefleet.path.path] : [Bluefleet.path.path]
            func run(_ command: String) throws -> Bluefleet.Outcome {
                let words = words + [command, "--config", file]
                let program = try Command(words[0], Array(words.dropFirst()), output: .ownPipe)
                let (output, error) = (program.output.rest(), program.error.rest())
                return Bluefleet.Outcome(status: program.wait().shellStatus, output: output, error: error)
            }
            let reason = "\(file): cannot open the file: Permission denied"
            let refused = try run("run")
            #expect(refused.status == 77)
            #expect(refused.error == "bluefleet run: \(reason): sudo chmod a+r \(file)\n")
            let check = try run("check")
            #expect(check.status == 78)
            #expect(check.output == "\(reason)\n")
            #expect(check.error == "bluefleet check: 1 mistake in \(file): sudo chmod a+r \(file)\n")
        }
    }

    @Test func `a secret that is missing keeps it from starting`() throws {
        try Bluefleet.withFile("mqtt:\n  username: me\n  password_file: /nowhere/password\n") { file in
            let outcome = try Bluefleet.run("run", "--config", file)
            #expect(outcome.status == 78)
            #expect(outcome.error.contains("\(file):3:18: "))
        }
    }
}

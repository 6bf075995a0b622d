import EventLoop
import Foundation
import System
import TestSupport
import TestTraits
import Testing

@Suite(.ownThreads) struct SimulateTests {
    @Test func `simulate prints the address of its bus, and removes its files`() throws {
        let file = Bluefleet.project.appendingPathComponent("config/fleets/house.yaml").path
        let simulation = try RunningBluefleet("simulate", file)
        let address = try #require(simulation.output.line())
        let socket = try #require(address.wholeMatch(of: /unix:path=(.*)/)).output.1
        #expect(FileManager.default.fileExists(atPath: String(socket)))

        // There can be one bluetoothd on a bus.
        let second = try Bluefleet.run("simulate", file, "--bus", address)
        #expect(second.status == 69)
        #expect(second.error.contains("another connection owns the name"))

        simulation.send(SIGINT)
        #expect(simulation.exit() == 0)
        #expect(!FileManager.default.fileExists(atPath: String(socket)))
    }

    @Test func `--json prints the address of the bus as JSON`() throws {
        let file = Bluefleet.project.appendingPathComponent("config/fleets/house.yaml").path
        let simulation = try RunningBluefleet("simulate", file, "--json")
        let line = try #require(simulation.output.line())
        #expect(line.wholeMatch(of: /\{"bus":"unix:path=[^"]*"\}/) != nil)
        simulation.send(SIGINT)
        #expect(simulation.exit() == 0)
    }

    private static let hosts = """
        hosts:
          attic: {adapters: {hci0: {address: "00:00:5E:00:53:01"}}}
          cellar: {position: [2, 3], adapters: {hci0: {address: "00:00:5E:00:53:02"}}}
        peripherals:
          sensor: {address: C0:00:00:00:00:01, position: [1, 1]}
        """

    @Test func `simulate prints the name and the bus of each host`() throws {
        try Bluefleet.withFile(Self.hosts) { file in
            let simulation = try RunningBluefleet("simulate", file)
            let lines = try [#require(simulation.output.line()), #require(simulation.output.line())]
            #expect(lines[0].hasPrefix("attic unix:path=") && lines[1].hasPrefix("cellar unix:path="))
            for line in lines {
                let bus = String(line.split(separator: " ")[1])
                let scan = try Bluefleet.run("inspect", "C0:00:00:00:00:01", "--bus", bus)
                #expect(scan.status == 0, "\(scan.error)")
            }
            simulation.send(SIGINT)
            #expect(simulation.exit() == 0)

            let json = try RunningBluefleet("simulate", file, "--json")
            let line = try #require(json.output.line())
            #expect(line.wholeMatch(of: /\{"buses":\{"attic":"unix:path=[^"]*","cellar":"unix:path=[^"]*"\}\}/) != nil)
            json.send(SIGINT)
            #expect(json.exit() == 0)
        }
    }

    @Test func `one bus is not enough for several hosts`() throws {
        try Bluefleet.withFile(Self.hosts) { file in
            let outcome = try Bluefleet.run("simulate", file, "--bus", "unix:path=/nowhere/bus")
            #expect(outcome.status == 64)
            #expect(outcome.error.contains("\(file) has 2 hosts, and each needs its own bus: omit --bus"))
        }
    }

    @Test(arguments: [SIGHUP, SIGINT])
    func `a signal that nohup ignores does not end the simulation`(signal: Int32) throws {
        let file = Bluefleet.project.appendingPathComponent("config/fleets/house.yaml").path
        let script = "trap '' HUP INT; exec \"$0\" simulate \"$1\""
        let simulation = try Command("sh", ["-c", script, Bluefleet.path.path, file], output: .ownPipe)
        let address = try #require(simulation.output.line())
        _ = simulation.error.line(containing: "Ctrl-C")
        simulation.send(signal)
        let read = try Bluefleet.run("read", "C0:00:00:00:00:01", "temperature", "--bus", address)
        #expect(read.status == 0, "\(read.error)")
        simulation.send(SIGTERM)
        #expect(simulation.wait() == .code(0))
    }

    @Test func `a description with mistakes is rejected with all of them`() throws {
        try Bluefleet.withFile("adaptors: {}\nperipherals:\n  a: {adress: x}\n") { file in
            let outcome = try Bluefleet.run("simulate", file)
            #expect(outcome.status == 65)
            #expect(outcome.error.contains("\(file):1:1: unknown key 'adaptors'"))
            #expect(outcome.error.contains("\(file):3:7: unknown key 'adress'"))
        }
    }

    @Test func `a bridge configuration is recognized`() throws {
        try Bluefleet.withFile("devices: {a: {address: C0:00:00:00:00:01}}\n") { file in
            let outcome = try Bluefleet.run("simulate", file)
            #expect(outcome.status == 65)
            let advice = "not a simulated fleet (see: bluefleet help --fleet)"
            #expect(outcome.error == "bluefleet simulate: \(file) is a bridge configuration, \(advice)\n")
        }
    }

    @Test func `an unreadable description is reported like a configuration`() throws {
        let outcome = try Bluefleet.run("simulate", "/nowhere/house.yaml")
        #expect(outcome.status == 78)
        let sentence = "/nowhere/house.yaml: cannot read the file: No such file or directory"
        #expect(outcome.error == "bluefleet simulate: \(sentence)\n")
    }

    @Test(arguments: [["simulate", "config/fleets/house.yaml"], ["demo"]])
    func `temporary files can be in a folder with special characters`(words: [String]) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let inner = folder.path("My files, \"a\\b\"; & 'c'")
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
        let words = words.map { $0.hasSuffix(".yaml") ? Bluefleet.project.appendingPathComponent($0).path : $0 }
        let command = try RunningBluefleet(words, environment: ["TMPDIR": inner])
        #expect(command.output.line() != nil)
        command.send(SIGINT)
        #expect(command.exit() == 0)
    }

    @Test func `the simulation ends when its bus ends`() throws {
        let file = Bluefleet.project.appendingPathComponent("config/fleets/house.yaml").path
        let simulation = try RunningBluefleet("simulate", file)
        let address = try #require(simulation.output.line())
        // The simulation has started.
        _ = simulation.error.line(containing: "Ctrl-C")
        kill(try #require(simulation.children.first), SIGTERM)
        #expect(simulation.error.line(containing: "bluefleet simulate: the bus \(address) has ended") != nil)
        #expect(simulation.exit() == 69)
    }

    @Test func `a missing bus is reported by its address`() throws {
        let file = Bluefleet.project.appendingPathComponent("config/fleets/house.yaml").path
        let outcome = try Bluefleet.run("simulate", file, "--bus", "unix:path=/nowhere/bus")
        #expect(outcome.status == 69)
        #expect(outcome.error.contains("/nowhere/bus"))
    }
}

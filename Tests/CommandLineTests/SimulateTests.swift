import EventLoop
import Foundation
import TestSupport
import Testing

@Suite struct SimulateTests {
    @Test func `it tells the address of its bus, and leaves nothing behind`() throws {
        let file = Bluefleet.project.appendingPathComponent("config/fleets/house.yaml").path
        let simulation = try RunningBluefleet("simulate", file)
        let address = try #require(simulation.output.line())
        let socket = try #require(address.wholeMatch(of: /unix:path=(.*)/)).output.1
        #expect(FileManager.default.fileExists(atPath: String(socket)))

        // There can be one bluetoothd on a bus.
        let second = try Bluefleet.run("simulate", file, "--bus", address)
        #expect(second.status == 69)
        #expect(second.error.contains("is taken"))

        simulation.send(SIGINT)
        #expect(simulation.exit() == 0)
        #expect(!FileManager.default.fileExists(atPath: String(socket)))
    }

    @Test func `programs get the address of its bus as JSON`() throws {
        let file = Bluefleet.project.appendingPathComponent("config/fleets/house.yaml").path
        let simulation = try RunningBluefleet("simulate", file, "--json")
        let line = try #require(simulation.output.line())
        #expect(line.wholeMatch(of: /\{"bus":"unix:path=[^"]*"\}/) != nil)
        simulation.send(SIGINT)
        #expect(simulation.exit() == 0)
    }

    @Test(arguments: [SIGHUP, SIGINT])
    func `a signal that is kept from it, as nohup does, does not end it`(signal: Int32) throws {
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

    @Test func `a description with mistakes is refused with all of them`() throws {
        try Bluefleet.withFile("adaptors: {}\nperipherals:\n  a: {adress: x}\n") { file in
            let outcome = try Bluefleet.run("simulate", file)
            #expect(outcome.status == 65)
            #expect(outcome.error.contains("\(file):1:1: unknown key 'adaptors'"))
            #expect(outcome.error.contains("\(file):3:7: unknown key 'adress'"))
        }
    }

    @Test func `a description that cannot be read is told, as a configuration is`() throws {
        let outcome = try Bluefleet.run("simulate", "/nowhere/house.yaml")
        #expect(outcome.status == 78)
        let sentence = "/nowhere/house.yaml: cannot open the file: No such file or directory"
        #expect(outcome.error == "bluefleet simulate: \(sentence)\n")
    }

    @Test(arguments: [["simulate", "config/fleets/house.yaml"], ["demo"]])
    func `temporary files may be in a folder of any name`(words: [String]) throws {
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

    @Test func `it ends when its bus does`() throws {
        let file = Bluefleet.project.appendingPathComponent("config/fleets/house.yaml").path
        let simulation = try RunningBluefleet("simulate", file)
        let address = try #require(simulation.output.line())
        // It plays by then.
        _ = simulation.error.line(containing: "Ctrl-C")
        kill(try #require(simulation.children.first), SIGTERM)
        #expect(simulation.error.line(containing: "bluefleet simulate: the bus \(address) has ended") != nil)
        #expect(simulation.exit() == 69)
    }

    @Test func `a bus that is not there is named`() throws {
        let file = Bluefleet.project.appendingPathComponent("config/fleets/house.yaml").path
        let outcome = try Bluefleet.run("simulate", file, "--bus", "unix:path=/nowhere/bus")
        #expect(outcome.status == 69)
        #expect(outcome.error.contains("/nowhere/bus"))
    }
}

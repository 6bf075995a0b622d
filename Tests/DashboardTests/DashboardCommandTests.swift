import Foundation
import TestSupport
import Testing

/// `bluefleet dashboard` and the command line of `bluefleet-dashboard`.
@Suite struct DashboardCommandTests {
    private static let folder = URL(fileURLWithPath: RunningDashboard.path).deletingLastPathComponent().path

    @Test func `bluefleet dashboard becomes the program beside it`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("page.yaml")
        try "dashboard: {listen: 127.0.0.1:0, history: off}".write(to: file, atomically: true, encoding: .utf8)
        let command = try Command("\(Self.folder)/bluefleet", ["dashboard", file.path], output: .ownPipe)
        #expect(command.error.line(containing: "the page is ready") != nil)
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(command.identifier)/exe")
        #expect(program.hasSuffix("/bluefleet-dashboard"))
        #expect(command.terminate() == .code(0))
    }

    @Test func `without the program, the message names its package`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appendingPathComponent("bluefleet").path
        // Another process copies the program: a child of a concurrent test could keep the file open for writing.
        #expect(try Command("cp", ["\(Self.folder)/bluefleet", copy]).wait() == .code(0))
        let command = try Command(copy, ["dashboard"], environment: ["PATH": "/nonexistent"], output: .ownPipe)
        let error = command.error.rest()
        #expect(command.wait() == .code(69))
        #expect(error.contains("bluefleet-dashboard not found: sudo apt install bluefleet-dashboard"))
    }

    @Test(arguments: [["--config"], ["--other"], ["a", "b"], ["--config", "a", "b"]])
    func `wrong arguments get status 64 and the usage`(arguments: [String]) throws {
        let outcome = try RunningDashboard.run(arguments)
        #expect(outcome.status == .code(64) && outcome.error.contains("usage: bluefleet-dashboard"))
    }

    @Test func `a file that is missing or has mistakes gets status 78 and its name`() throws {
        let missing = try RunningDashboard.run(["/nonexistent.yaml"])
        #expect(missing.status == .code(78) && missing.error.contains("/nonexistent.yaml"))
    }

    @Test func `an address that is in use gets status 69 and its name`() throws {
        let dashboard = try RunningDashboard()
        let file = try dashboard.folder.write("dashboard: {listen: 127.0.0.1:\(dashboard.port)}", to: "second.yaml")
        let outcome = try RunningDashboard.run([file])
        #expect(outcome.status == .code(69))
        #expect(outcome.error.contains("cannot listen on 127.0.0.1:\(dashboard.port): Address already in use"))
    }
}

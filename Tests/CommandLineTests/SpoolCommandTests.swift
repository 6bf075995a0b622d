import Foundation
import JSON
import Spool
import System
import TestSupport
import Testing

/// `bluefleet spool` with files of the room Spool.
@Suite struct SpoolCommandTests {
    /// Calls `body` with a configuration whose state folder has three messages that wait.
    private func withMessages(_ body: (_ file: String, _ folder: String) throws -> Void) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let clock = ClockReading(
            boot: "b", time: Timestamp(milliseconds: 1_800_000_000_000), moment: Instant(nanoseconds: 0),
            isSynchronized: true)
        let spool = SpoolFile(in: "\(folder.path)/spool", limits: SpoolLimits(freeSpace: 0))
        let records = ["greenhouse/temperature", "greenhouse/temperature", "event"].map { topic in
            SpoolRecord(
                broker: "mqtt://localhost:1883 bluefleet", topic: topic, payload: Array("{}".utf8), isBare: false,
                time: clock.time, moment: clock.moment)
        }
        #expect(await spool.append(records, clock).failure == nil)
        await spool.close()
        try Bluefleet.withFile("state_directory: \(folder.path)\n") { try body($0, folder.path) }
    }

    @Test func `spool lists the messages of each topic, as text and as JSON`() async throws {
        try await withMessages { file, _ in
            let text = try Bluefleet.run("spool", "--config", file)
            #expect(text.status == 0 && text.output.contains("3 messages wait"))
            #expect(text.output.contains("greenhouse/temperature  2  2027-01-15T08:00:00.000Z"))
            let json = try JSON(parsing: try Bluefleet.run("spool", "--json", "--config", file).output)
            #expect(json["waiting"] == 3 && json["topics"]?.array?.count == 2)
        }
    }

    @Test func `spool --drop removes all messages, but not those of a running bridge`() async throws {
        try await withMessages { file, folder in
            try holdingLock(of: folder) {
                let busy = try Bluefleet.run("spool", "--drop", "--config", file)
                #expect(busy.status == 69 && busy.error.contains("request spool"))
            }
            let drop = try Bluefleet.run("spool", "--drop", "--config", file)
            #expect(drop.status == 0 && drop.output.contains("removed 3 messages"))
            #expect(try Bluefleet.run("spool", "--config", file).output.contains("no messages wait"))
        }
    }

    private func holdingLock(of folder: String, _ body: () throws -> Void) throws {
        let lock = try FolderLock(folder)
        defer { withExtendedLifetime(lock) {} }
        try body()
    }
}

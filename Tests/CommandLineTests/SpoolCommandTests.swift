import Foundation
import JSON
import Spool
import System
import TestSupport
import TestTraits
import Testing

/// `bluefleet spool` with files of the room Spool.
@Suite(.ownThreads) struct SpoolCommandTests {
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

    @Test func `spool --drop changes no file behind a link in the state folder`() async throws {
        try await withMessages { file, folder in
            let other = try TemporaryFolder()
            defer { other.remove() }
            let victim = other.path + "/victim"
            try TextFile.write("precious", to: victim)
            try #require(symlink(victim, folder + "/lock") == 0)
            let drop = try Bluefleet.run("spool", "--drop", "--config", file)
            #expect(drop.status == 77 && drop.error.contains("lock: it is a symbolic link"))
            try #require(unlink(folder + "/lock") == 0)
            try #require(unlink(folder + "/spool/spool.db") == 0 && symlink(victim, folder + "/spool/spool.db") == 0)
            #expect(try Bluefleet.run("spool", "--drop", "--config", file).status != 0)
            try #require(unlink(folder + "/spool/spool.db") == 0)
            for name in ["journal.0", "spool.db"] {
                let path = folder + "/spool/" + name
                for target in [victim, other.path + "/nothing"] {
                    try #require(symlink(target, path) == 0)
                    for words in [[], ["--drop"]] {
                        let refused = try Bluefleet.run(["spool", "--config", file] + words)
                        #expect(refused.status == 69)
                        #expect(refused.error.contains("\(name): it is a symbolic link: remove it"))
                    }
                    try #require(unlink(path) == 0)
                }
            }
            #expect(TextFile.read(victim) == "precious" && access(other.path + "/nothing", F_OK) != 0)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder to another user"))
    func `spool --drop of root takes the identity of the folder's owner`() async throws {
        try await withMessages { file, folder in
            let other = try TemporaryFolder()
            defer { other.remove() }
            // A folder that only root may change, with the files of a spool.
            try #require(rename(folder + "/spool", other.path + "/spool") == 0)
            try #require(symlink(other.path + "/spool", folder + "/spool") == 0)
            try #require(chown(folder, 65534, 65534) == 0)
            let drop = try Bluefleet.run("spool", "--drop", "--config", file)
            #expect(drop.status != 0 || drop.output.contains("removed 0 messages"))
            #expect(try SpoolContents(of: other.path + "/spool").count == 3)
            var status = stat()
            #expect(stat(folder + "/lock", &status) == 0 && status.st_uid == 65534)
        }
    }

    private func holdingLock(of folder: String, _ body: () throws -> Void) throws {
        let lock = try FolderLock(folder)
        defer { withExtendedLifetime(lock) {} }
        try body()
    }
}

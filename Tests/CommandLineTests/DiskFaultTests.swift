import EventLoop
import Foundation
import JSON
import MQTT
import System
import TestSupport
import TestSupport
import Testing

/// The built bridge on a disk that is full, fails or hangs (`Tests/DiskFaults`): no value is lost, and the bridge goes on.
@Suite struct DiskFaultTests {
    @Test(arguments: ["ENOSPC", "EIO", "EROFS"])
    func `values that the disk does not accept are stored when the fault ends, and all arrive`(fault: String) throws {
        try withRig { home, rig in
            try await rig.values(5)
            try rig.set(fault)
            rig.broker.stop()
            #expect(rig.bridge.error.line(containing: "cannot be stored") != nil)
            try rig.set("")
            #expect(rig.bridge.error.line(containing: "are stored again") != nil)
            try rig.broker.start()
            try await rig.until("spool_failed and replay_finished") {
                rig.events.contains("spool_failed") && rig.events.contains("replay_finished")
            }
            try await rig.values(5)
            #expect(rig.missing.isEmpty, "\(rig.missing)")
            #expect(rig.isLate)
        }
    }

    @Test func `while the disk fails, health names it, values are sent late from memory, and the bridge starts again`()
        throws
    {
        try withRig { home, rig in
            try await failDisk(rig)
            #expect(try await rig.spool()["state"] == "failed")
            try await rig.values(5)
            #expect(rig.missing.isEmpty, "\(rig.missing)")
            try rig.restartBridge()
            try await rig.values(5)
        }
    }

    @Test func `health recovers with the disk, although no value has to be stored`() throws {
        try withRig { home, rig in
            try await failDisk(rig)
            // When everything has arrived from memory, the spool has nothing to write.
            try await rig.untilSpool { $0["state"] == "failed" && $0["waiting"] == 0 }
            try rig.set("")
            try await rig.untilSpool { $0["state"] == "idle" }
            #expect(rig.bridge.error.line(containing: "are stored again") != nil)
            #expect(rig.missing.isEmpty, "\(rig.missing)")
        }
    }

    @Test func `values that the disk does not remove are sent once`() throws {
        try withRig { home, rig in
            try await rig.values(5)
            rig.broker.stop()
            #expect(rig.bridge.error.line(containing: "messages are stored") != nil)
            try rig.set("EIO")
            #expect(rig.bridge.error.line(containing: "cannot be stored") != nil)
            try rig.broker.start()
            try await rig.until("replay_finished") { rig.events.contains("replay_finished") }
            #expect(rig.bridge.error.line(containing: "cannot be removed") != nil)
            // The disk is tried again each second: 3 s.
            try await rig.values(60)
            #expect(try await rig.spool()["state"] == "failed" && rig.repeatedCount == 0, "\(rig.repeatedCount)")
            try rig.set("")
            try await rig.untilSpool { $0["state"] == "idle" && $0["waiting"] == 0 }
            #expect(rig.missing.isEmpty && rig.isLate && rig.repeatedCount == 0, "\(rig.missing), \(rig.repeatedCount)")
        }
    }

    @Test func `short writes lose nothing`() throws {
        try withRig { home, rig in
            try await rig.values(5)
            try rig.set("short")
            rig.broker.stop()
            try rig.waitForFile()
            try rig.broker.start()
            try await rig.until("replay_finished") { rig.events.contains("replay_finished") }
            try await rig.values(5)
            #expect(rig.missing.isEmpty && rig.isLate, "\(rig.missing)")
            #expect(!rig.events.contains("spool_failed"))
        }
    }

    @Test func `while a synchronization hangs, live values and requests go on, and nothing is lost`() throws {
        try withRig { home, rig in
            try await rig.values(5)
            try rig.set("hang")
            rig.broker.stop()
            rig.waitForHanging()
            try rig.broker.start()
            // The disk hangs all the time: the loop of the bridge does not wait for it.
            try await rig.values(50)
            #expect(try await rig.log()["topic"]?.string != nil)
            #expect(!rig.isLate && rig.isHanging)
            try rig.set("")
            try await rig.until("replay_finished") { rig.events.contains("replay_finished") }
            #expect(rig.missing.isEmpty && rig.isLate, "\(rig.missing)")
        }
    }

    @Test func `a killed bridge loses none of the values that waited for 100 ms`() throws {
        try withRig(sync: "10m") { home, rig in
            try await rig.values(5)
            rig.broker.stop()
            try await rig.until("values in the journal") { try rig.storedCount() >= 20 }
            #expect(!rig.hasFile)
            rig.killBridge()
            let count = try rig.storedCount()
            try rig.startBridge()
            try rig.broker.start()
            try await rig.until("replay_finished") { rig.events.contains("replay_finished") }
            try await rig.values(5)
            #expect(rig.lateCount >= count && rig.repeatedCount == 0, "\(rig.lateCount) of \(count)")
            // The device sent these values while no bridge was connected.
            let missing = rig.missing
            #expect(missing == missing.first.map { Array($0..<$0 + missing.count) } ?? [], "\(missing)")
            try await rig.untilSpool { $0["state"] == "idle" }
            #expect(try rig.storedCount() == 0)
        }
    }

    @Test func `while the broker accepts everything, the spool writes nothing`() throws {
        try withRig { home, rig in
            try await rig.values(400)
            #expect(try await rig.spool()["written_bytes"] == 0)
            #expect(!rig.hasSpoolFolder && rig.missing.isEmpty)
        }
    }

    /// Makes the disk fail while the broker is away, and waits until values have arrived late from memory.
    private func failDisk(_ rig: DiskFaultRig) async throws {
        try await rig.values(5)
        try rig.set("EIO")
        rig.broker.stop()
        #expect(rig.bridge.error.line(containing: "cannot be stored") != nil)
        try rig.broker.start()
        try await rig.until("values from memory") { rig.isLate && rig.events.contains("spool_failed") }
    }

    private func withRig(
        sync: String = "1s",
        _ body: @escaping @Sendable (isolated LoopActor, DiskFaultRig) async throws -> Void
    ) throws {
        try EventLoop.run { home in
            let rig = try DiskFaultRig(home.loop, sync: sync)
            do {
                try await body(home, rig)
            } catch {
                await rig.close()
                throw error
            }
            await rig.close()
        }
    }
}

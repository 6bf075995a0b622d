import System
import Testing

@testable import Spool

/// A power cut while the first record creates the file.
@Suite struct CreationTests {
    @Test func `SpoolContents reads each file that a power cut can leave`() async throws {
        let clock = ClockReading(
            boot: "boot", time: Timestamp(milliseconds: 1_800_000_000_000), moment: Instant(nanoseconds: 0),
            isSynchronized: true)
        let record = SpoolRecord(
            broker: "mqtt://a bluefleet", topic: "d/t", payload: Array("{}".utf8), isBare: false, time: clock.time,
            moment: clock.moment)
        var (cuts, cutsWithJournal) = (0, 0)
        for seed in 0..<4 {
            for operations in 0... {
                var disk = try FaultyDisk()
                let file = SpoolFile(in: disk.path, limits: SpoolLimits(freeSpace: 0))
                disk.plan(.powerCut, after: operations, seed: UInt64(seed))
                _ = await file.append([record], clock)
                let hasCut = disk.hasFault
                disk.clear()
                await file.close()
                // The record was added before the cut.
                guard hasCut else { break }
                disk.restart()
                cuts += 1
                cutsWithJournal += disk.size(of: "spool.db", ["-journal"]) > 0 ? 1 : 0
                #expect(try SpoolContents(of: disk.path).count <= 1)
            }
        }
        // The cuts must leave the files that this test is for.
        #expect(cutsWithJournal > 0 && cuts > 2 * cutsWithJournal)
    }
}

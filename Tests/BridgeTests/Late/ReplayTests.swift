import EventLoop
import MQTT
import Spool
import System
import TestSupport
import Testing

@testable import Bridge

/// The end of a replay while it removes records from the disk.
@Suite struct ReplayTests {
    @Test func `a Replay that is replaced while it removes records sends all records of the next publisher`() throws {
        try withOutageRig { home, rig in
            let file = SpoolFile(in: rig.folder.path("spool"), limits: SpoolLimits(freeSpace: 0))
            let first = try rig.publisher(1, prefix: "first")
            let second = try rig.publisher(2, prefix: "second")
            var clock: ClockReading { .present(on: home.loop) }
            // Replay removes 1,000 records at a time.
            _ = await file.append((0..<1000).map { rig.record($0, of: first) }, clock)
            _ = await file.append((1000..<1005).map { rig.record($0, of: second) }, clock)
            var numbers: [Int] = []
            rig.received = { numbers.append($0.number) }
            let replay = Replay(file, loop: home.loop)
            func start(_ publisher: Publisher) {
                publisher.client.start()
                replay.start(publisher, perSecond: 10_000) {
                    try? await file.report(of: publisher.spoolName, .present(on: rig.loop))
                } changed: {
                }
            }
            start(first)
            #expect(
                await rig.pass {
                    numbers.count
                } until: {
                    replay.totalSent == 1000
                })
            // The disk is busy: the removal takes a while.
            let other = (0..<20_000).map { rig.record($0, of: second).on("another broker") }
            let busy = Task(executorPreference: home.loop.tasks) { _ = await file.append(other, clock) }
            home.loop.advance(by: .milliseconds(50))
            for _ in 0..<10 { await rig.turn() }
            start(second)
            await busy.value
            #expect(
                await rig.pass {
                    numbers.count
                } until: {
                    numbers.count >= 1005
                })
            #expect(numbers == Array(0..<1005))
            await replay.close()
            await file.close()
        }
    }
}

extension SpoolRecord {
    fileprivate func on(_ broker: String) -> SpoolRecord {
        SpoolRecord(broker: broker, topic: topic, payload: payload, isBare: isBare, time: time, moment: moment)
    }
}

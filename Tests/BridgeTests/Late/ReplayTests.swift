import EventLoop
import MQTT
import Spool
import System
import TestSupport
import TestTraits
import Testing

@testable import Bridge

/// The end of a replay while it removes records from the disk.
@Suite(.ownThreads) struct ReplayTests {
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
                replay.start(publisher, perSecond: 10_000) {
                    try? await file.report(of: publisher.spoolName, .present(on: rig.loop))
                } changed: {
                }
            }
            await rig.connect(first)
            await rig.connect(second)
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

    @Test func `a Replay drops what other gateways have published, and leaves what is not known on the disk`() throws {
        try withOutageRig { home, rig in
            let file = SpoolFile(in: rig.folder.path("spool"), limits: SpoolLimits(freeSpace: 0))
            let publisher = try rig.publisher(1)
            let stamps = [nil, "elsewhere", "unknown"]
            _ = await file.append(
                (0..<600).map { rig.record($0, of: publisher).stamped(stamps[$0 % 3]) }, .present(on: home.loop))
            var numbers: [Int] = []
            rig.received = { numbers.append($0.number) }
            let replay = Replay(file, loop: home.loop)
            var (unknown, ends) = (LateVerdict.wait, 0)
            replay.decide { record, _ in record.stamp == "elsewhere" ? .drop : unknown }
            func run() async -> Bool {
                let before = ends
                replay.start(publisher, perSecond: 10_000) {
                    try? await file.report(of: publisher.spoolName, .present(on: rig.loop))
                } changed: {
                    ends += 1
                }
                return await rig.pass(progress: { numbers.count }, until: { ends > before && !replay.isActive })
            }
            await rig.connect(publisher)
            #expect(await run())
            #expect(numbers == (0..<600).filter { $0 % 3 == 0 })
            #expect(try await file.report(of: publisher.spoolName, .present(on: home.loop)).waiting == 200)
            unknown = .send
            #expect(await run())
            #expect(numbers.suffix(200) == (0..<600).filter { $0 % 3 == 2 })
            #expect(numbers.count == 400 && replay.totalSent == 400)
            #expect(try await file.report(of: publisher.spoolName, .present(on: home.loop)).total == 0)
            await replay.close()
            await file.close()
        }
    }

    @Test func `the arrival of a message of an earlier start of the machine is known from the calendar`() {
        let record = SpoolRecord(
            broker: "b", topic: "a/b/t", payload: [], isBare: false, time: Timestamp(milliseconds: 50_000),
            moment: Instant(nanoseconds: 0))
        #expect(record.device == "a/b")
        let clock = ClockReading(
            boot: "second", time: Timestamp(milliseconds: 60_000), moment: Instant(nanoseconds: 20_000_000_000),
            isSynchronized: true)
        func arrival(
            _ corrected: Int64? = nil, isTimeUncertain: Bool = false, isOfPresentStart: Bool = false
        ) -> Instant {
            StoredRecord(
                id: 1, record: record, correctedTime: corrected.map { Timestamp(milliseconds: $0) },
                isTimeUncertain: isTimeUncertain, isOfPresentStart: isOfPresentStart
            ).arrival(clock)
        }
        // A record can have a time that is wrong by up to one second.
        #expect(arrival() == Instant(nanoseconds: 11_000_000_000))
        #expect(arrival(40_000) == Instant(nanoseconds: 1_000_000_000))
        #expect(arrival(59_900) == clock.moment)
        #expect(arrival(isTimeUncertain: true) == clock.moment)
        #expect(arrival(isOfPresentStart: true) == record.moment)
    }
}

extension SpoolRecord {
    fileprivate func stamped(_ stamp: String?) -> SpoolRecord {
        SpoolRecord(
            broker: broker, topic: topic, payload: payload, isBare: isBare, time: time, moment: moment, stamp: stamp)
    }

    fileprivate func on(_ broker: String) -> SpoolRecord {
        SpoolRecord(broker: broker, topic: topic, payload: payload, isBare: isBare, time: time, moment: moment)
    }
}

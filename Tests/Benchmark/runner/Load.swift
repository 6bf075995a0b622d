import BenchmarkSupport
import Foundation

/// What a stream of values costs a bridge, and what becomes of it.
struct Load {
    /// Processor time for each value, in microseconds.
    let cost: Double
    /// How many came through in a second.
    let rate: Double
    /// How many of a thousand did not come through.
    let loss: Double
    let ages: Flood.Ages

    /// Sends at a rate, and measures for a while; nil: as many as come through.
    init(rate: Int?, of subject: Subject, on rig: Rig, for window: Double) throws {
        let start = try rig.flood.count()
        try rig.flood.send(.values, rate: rate)
        pause(window / 2)
        let before = try Moment(subject, rig)
        _ = try rig.flood.takeAges()
        pause(window)
        let after = try Moment(subject, rig)
        ages = try rig.flood.takeAges()
        try rig.flood.stop()
        let count = Double(after.count.sent - before.count.sent)
        guard count > 0, after.count.received > before.count.received else {
            throw BenchmarkError("nothing came through \(subject.kind.rawValue)")
        }
        cost = Double(after.processorTime - before.processorTime) / count / 1000
        self.rate = Double(after.count.received - before.count.received) / (after.time - before.time)
        let end = try Self.settle(rig)
        loss = 1000 * (1 - Double(end.received - start.received) / Double(end.sent - start.sent))
    }

    /// Waits until nothing more comes.
    @discardableResult
    static func settle(_ rig: Rig) throws -> Flood.Count {
        var count = try rig.flood.count()
        while count.received < count.sent {
            pause(0.3)
            let later = try rig.flood.count()
            if later.received == count.received { return later }
            count = later
        }
        return count
    }

    /// What has happened until a moment.
    private struct Moment {
        let count: Flood.Count
        let processorTime: Int
        let time: Double

        init(_ subject: Subject, _ rig: Rig) throws {
            count = try rig.flood.count()
            processorTime = try subject.usage.processorTime()
            time = Date.timeIntervalSinceReferenceDate
        }
    }
}

func pause(_ seconds: Double) {
    Thread.sleep(forTimeInterval: seconds)
}

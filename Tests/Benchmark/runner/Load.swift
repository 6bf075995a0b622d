import BenchmarkSupport
import Foundation

/// What a stream of values costs a bridge, and what becomes of it.
struct Load {
    /// Processor time for each value that came through, in microseconds.
    let cost: Double
    /// What the rest of the rig took for each: bus, broker, flood and subscriber.
    let rigCost: Double
    /// How many came through in a second.
    let rate: Double
    /// How many of those sent were not yet there when the time was over, of a hundred.
    let backlog: Double
    /// How many of a hundred never came through.
    let loss: Double
    /// How long they were on their way.
    let ages: Flood.Ages

    /// How long a bridge works before it is measured, in seconds: the first values come to cold caches.
    private static let warmUp = 2.0

    /// Sends at a rate, and measures when that has gone on for a moment.
    ///
    /// - Parameter rate: how many a second; nil: as many as come through.
    init(rate: Int?, of subject: Subject, on rig: Rig, for window: Double) throws {
        let start = try Moment(subject, rig)
        try rig.flood.send(.values, rate: rate)
        try pause(Self.warmUp)
        let first = try Moment(subject, rig)
        _ = try rig.flood.takeAges()
        try pause(window)
        let last = try Moment(subject, rig)
        ages = try rig.flood.takeAges()
        try rig.flood.stop()
        let end = try Self.settle(rig)

        guard last.count.received > first.count.received else {
            throw BenchmarkError("nothing came through \(subject.kind.rawValue)")
        }
        let received = Double(last.count.received - first.count.received)
        cost = Double(last.processorTime - first.processorTime) / received / 1000
        rigCost = Double(last.rigTime - first.rigTime) / received / 1000
        self.rate = received / (last.time - first.time)
        let all = Double(end.sent - start.count.sent)
        backlog = 100 * (1 - Double(last.count.received - start.count.received) / all)
        loss = 100 * (1 - Double(end.received - start.count.received) / all)
    }

    /// Waits until nothing more comes.
    private static func settle(_ rig: Rig) throws -> Flood.Count {
        var count = try rig.flood.count()
        while count.received < count.sent {
            try pause(0.3)
            let later = try rig.flood.count()
            if later.received == count.received { return later }
            count = later
        }
        return count
    }
}

/// What has happened until a moment.
struct Moment {
    let count: Flood.Count
    let processorTime: Int
    let rigTime: Int
    let wakeUps: Int
    /// Seconds, since whenever.
    let time: Double

    init(_ subject: Subject, _ rig: Rig) throws {
        count = try rig.flood.count()
        processorTime = try subject.usage.processorTime()
        rigTime = try rig.processorTime()
        wakeUps = try subject.usage.wakeUps()
        time = Double(DispatchTime.now().uptimeNanoseconds) / 1e9
    }
}

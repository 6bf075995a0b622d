import BenchmarkSupport
import Foundation
import System

/// The cost of a stream of values in a bridge, and the values' ages and losses.
struct Load {
    /// Processor time per received value, in microseconds.
    let cost: Double
    /// Processor time of bus, broker, flood and subscriber per received value, in microseconds.
    let rigCost: Double
    /// Received values per second.
    let rate: Double
    /// The percentage of sent values that had not arrived at the end of the window.
    let backlog: Double
    /// The percentage of lost values.
    let loss: Double
    /// The ages of the values.
    let ages: Flood.Ages

    /// The time before the measurement, in seconds: the first values find cold caches.
    private static let warmUp = 2.0

    /// Sends at a rate, and measures after the warm-up.
    ///
    /// - Parameters:
    ///   - rate: Values per second; nil for the maximum.
    ///   - subject: The bridge to measure.
    ///   - rig: The rig that sends the values.
    ///   - window: The time to measure, in seconds.
    /// - Throws: `BenchmarkError` if the bridge published no values; an error of the rig.
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
            throw BenchmarkError("\(subject.kind.rawValue) published no values")
        }
        let received = Double(last.count.received - first.count.received)
        cost = Double(last.processorTime - first.processorTime) / received / 1000
        rigCost = Double(last.rigTime - first.rigTime) / received / 1000
        self.rate = received / (last.time - first.time)
        let all = Double(end.sent - start.count.sent)
        backlog = 100 * (1 - Double(last.count.received - start.count.received) / all)
        loss = 100 * (1 - Double(end.received - start.count.received) / all)
    }

    /// Waits until no more values arrive.
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

/// The counters at one moment.
struct Moment {
    let count: Flood.Count
    let processorTime: Int
    let rigTime: Int
    let wakeUps: Int
    /// In seconds, from an arbitrary start.
    let time: Double

    init(_ subject: Subject, _ rig: Rig) throws {
        count = try rig.flood.count()
        processorTime = try subject.usage.processorTime()
        rigTime = try rig.processorTime()
        wakeUps = try subject.usage.wakeUps()
        time = Double(DispatchTime.now().uptimeNanoseconds) / 1e9
    }
}

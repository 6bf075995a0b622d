import EventLoop
import MQTT

/// What came of each device, and how long nothing did.
final class Tally: @unchecked Sendable {
    struct Entry {
        var count = 0
        var last: Instant
        var longestGap = Duration.zero
    }

    private(set) var entries: [String: Entry] = [:]
    private let topic: String
    private let loop: EventLoop

    /// - Parameter topic: the last level of the topics that count: `temperature`.
    init(of topic: String, devices: [String], on loop: EventLoop) {
        self.topic = topic
        self.loop = loop
        for device in devices { entries[device] = Entry(last: loop.now) }
    }

    func add(_ message: Message) {
        let levels = "\(message.topic)".split(separator: "/")
        guard levels.count == 3, levels[2] == topic else { return }
        note(String(levels[1]), isReading: true)
    }

    /// The time is over: what has not come by now counts as a gap.
    func finish() {
        for device in entries.keys { note(device, isReading: false) }
    }

    private func note(_ device: String, isReading: Bool) {
        guard var entry = entries[device] else { return }
        let now = loop.now
        entry.longestGap = max(entry.longestGap, now - entry.last)
        entry.last = now
        if isReading { entry.count += 1 }
        entries[device] = entry
    }

    var fewest: Int { entries.values.map(\.count).min() ?? 0 }
    var most: Int { entries.values.map(\.count).max() ?? 0 }
    var longestGap: Duration { entries.values.map(\.longestGap).max() ?? .zero }

    /// How many have had something since a moment.
    func count(since moment: Instant) -> Int { entries.values.count { $0.count > 0 && $0.last >= moment } }
}

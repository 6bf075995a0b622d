import EventLoop
import MQTT
import System

/// Counts the readings of each device, and measures the gaps between them.
final class Tally: @unchecked Sendable {
    struct Entry {
        var count = 0
        var last: Instant
        var longestGap = Duration.zero
    }

    private(set) var entries: [String: Entry] = [:]
    private let topic: String
    private let loop: EventLoop

    /// - Parameters:
    ///   - topic: the last level of the topics that count, such as `temperature`.
    ///   - devices: the names of the devices.
    ///   - loop: the loop whose clock measures the gaps.
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

    /// Ends the count: the time since the last reading is a gap, too.
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

    /// Returns the number of devices with a reading since an instant.
    func count(since moment: Instant) -> Int { entries.values.count { $0.count > 0 && $0.last >= moment } }
}

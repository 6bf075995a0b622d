import Codec
import Configuration
import Contract
import Devices
import EventLoop
import Log
import MQTT
import System

/// Publishes the records of a device's histories on the late topics, and keeps up to which one the broker has accepted them.
///
/// The records are not stored in the gateway: after a failure, the device is asked for them again.
final class HistoryPublisher: LoopPart {
    /// The calls of the publisher to its device.
    struct Hooks {
        /// Called when the broker has accepted a record.
        let accepted: () -> Void
        /// Called if the broker did not accept records of an item, with the memory of the accepted ones.
        let lost: (_ item: Int, HistoryMemory) -> Void
        /// Called when the memories must be stored.
        let progressed: () -> Void
    }

    private let configuration: Configuration.Device
    private let plan: ConversationPlan
    private let output: DevicePublisher
    private let calculated: CalculatedValues?
    let loop: EventLoop
    private let hooks: Hooks
    /// The progress of the histories, by the name of the entry; the broker has accepted all records up to there.
    private(set) var memories: [String: HistoryMemory] = [:]
    /// The memories that were stored last.
    private var stored: [String: HistoryMemory] = [:]
    /// The number of messages that the broker has neither accepted nor rejected, by item.
    private var unaccepted: [Int: Int] = [:]
    /// The items whose last records were not accepted.
    private var losses: Set<Int> = []

    init(
        _ configuration: Configuration.Device, _ plan: ConversationPlan, _ output: DevicePublisher,
        _ calculated: CalculatedValues?, loop: EventLoop, _ hooks: Hooks
    ) {
        self.configuration = configuration
        self.plan = plan
        self.output = output
        self.calculated = calculated
        self.loop = loop
        self.hooks = hooks
    }

    /// Begins with the memories of an earlier run.
    func restore(_ memories: [String: HistoryMemory]) {
        self.memories = memories
        stored = memories
    }

    /// Whether records can be published: without the broker they remain in the device.
    var canPublish: Bool { output.publisher.client.isConnected }

    // MARK: Records

    /// Publishes a record of an item.
    func publish(_ record: HistoryRecord, of item: Int) {
        let time = Timestamp(milliseconds: record.time * 1000)
        for entry in values(of: record, item) {
            unaccepted[item, default: 0] += 1
            let received = ReceivedReading(reading: entry.reading, time: time, entry.marks)
            output.publish(late: received, of: entry.name, completion: handler { $0.completed(item, $1) })
        }
    }

    /// Returns the corrected values of a record and those that are derived from them, with the names of their topics.
    private func values(of record: HistoryRecord, _ item: Int) -> [ValueCalculator.NamedReading] {
        let packet = packet(of: record, plan.items[item])
        return (calculated?.past(packet) ?? packet).map { entry in
            let characteristic = configuration.characteristics.first { $0.name == entry.name }
            return ValueCalculator.NamedReading(characteristic?.topicName ?? entry.name, entry.reading, entry.marks)
        }
    }

    /// Returns a record with the names of its readings: each advertised quantity is a reading of its own.
    private func packet(
        of record: HistoryRecord, _ item: ConversationPlan.Item
    ) -> [ValueCalculator.NamedReading] {
        let owner = item.history?.owner ?? item.name
        guard owner == Configuration.History.advertisements else { return [.init(owner, record.reading)] }
        switch record.reading {
        case .value: return [.init(item.format?.quantities.first?.name ?? item.name, record.reading)]
        case .fields(let members): return members.map { .init($0.name, .value($0.value, unit: $0.unit)) }
        }
    }

    private func completed(_ item: Int, _ isAccepted: Bool) {
        unaccepted[item, default: 1] -= 1
        if isAccepted { return hooks.accepted() }
        guard losses.insert(item).inserted else { return }
        let name = plan.items[item].name
        var memory = memories[name] ?? HistoryMemory()
        // After the end of the connection to the broker, the next session asks again.
        if canPublish {
            memory.asked = loop.timestamp.milliseconds / 1000
            output.log.warning(
                "\(name): the broker does not accept the records, which remain in the device",
                ["remedy": "allow the gateway to publish on PREFIX/bridge/GATEWAY/late/#"])
        }
        // The conversation may be handling the event that has caused this call.
        spawn { [memory] publisher in
            publisher.losses.remove(item)
            publisher.hooks.lost(item, memory)
        }
    }

    // MARK: Memories

    /// Takes over the memories of the conversation, unless the broker has not accepted all of their records.
    func update(_ current: [String: HistoryMemory]) {
        for (index, item) in plan.items.enumerated() where unaccepted[index, default: 0] == 0 && !losses.contains(index)
        {
            guard let history = item.history, let memory = current[item.name] else { continue }
            memories[item.name] = memory
            if stored[item.name]?.isLike(memory, within: history.gap) ?? (memory == HistoryMemory()) { continue }
            stored[item.name] = memory
            hooks.progressed()
        }
    }
}

extension HistoryMemory {
    /// Whether a memory need not be stored again: a memory card has a limited number of writes.
    ///
    /// After a crash, records of up to half the gap are asked for although their values were published.
    fileprivate func isLike(_ other: HistoryMemory, within gap: Duration) -> Bool {
        guard asked == other.asked, last == other.last, let since, let later = other.since else { return self == other }
        return abs(later - since) * 2 < gap.components.seconds
    }
}

import Bluetooth
import Devices
import JSON
import Log
import System

/// The store of the advertisers' memories: the file `advertisers.json` in the state folder.
///
/// Without it, a device that had fallen silent would be `online` again after a restart, and an unavailable device that is
/// connected periodically would be `asleep`.
struct AdvertiserStore {
    private var file: StateFile
    private var memories: [Address: Memory] = [:]
    /// A memory with the time of the calendar, which all starts of the machine share.
    fileprivate struct Memory {
        let lastAccepted: Timestamp
        let interval: Duration?
        let isSilent: Bool
        let counters: [String: UInt64]
        let restarts: [String: Timestamp]
    }

    /// Loads the memories that an earlier run has stored.
    init(in folder: String, observer: @escaping StateFile.Observer = { _ in }) {
        file = StateFile("advertisers.json", of: "the times of the last advertisements", in: folder, observer: observer)
        for member in file.read()?.object ?? [:] {
            if let address = Address(member.name) { memories[address] = Memory(member.value) }
        }
    }

    /// Returns the memory of a device; nil if there is none.
    ///
    /// - Parameters:
    ///   - address: the address of the device.
    ///   - now: the current time.
    ///   - time: the same time in the calendar.
    /// - Returns: the memory, with its time on the clock of the loop.
    func memory(of address: Address, at now: Instant, _ time: Timestamp) -> AdvertiserMemory? {
        memories[address].map { memory in
            AdvertiserMemory(
                lastAccepted: Self.instant(memory.lastAccepted, at: now, time), interval: memory.interval,
                isSilent: memory.isSilent, counters: memory.counters,
                restarts: memory.restarts.mapValues { Self.instant($0, at: now, time) })
        }
    }

    /// Returns a stored time on the clock of the loop; a clock that was set back does not move it into the future.
    private static func instant(_ stored: Timestamp, at now: Instant, _ time: Timestamp) -> Instant {
        now + .milliseconds(-max(0, time.milliseconds - stored.milliseconds))
    }

    /// Stores the memories if they differ enough from the stored ones.
    ///
    /// A memory card has a limited number of writes: the time of the last advertisement alone is not written again, nor is
    /// a small change of an interval or of a counter.
    ///
    /// - Parameters:
    ///   - current: the memories of all devices.
    ///   - now: the current time.
    ///   - time: the same time in the calendar.
    ///   - isLast: whether the program stops: the times are written in any case.
    mutating func save(
        _ current: [Address: AdvertiserMemory], at now: Instant, _ time: Timestamp, isLast: Bool = false
    ) {
        let differs =
            current.count != memories.count
            || current.contains { address, memory in memories[address].map { !$0.isLike(memory) } ?? true }
        guard differs || file.isFailing || isLast && !current.isEmpty else { return }
        func timestamp(_ instant: Instant) -> Timestamp {
            Timestamp(milliseconds: time.milliseconds - (now - instant).nanoseconds / 1_000_000)
        }
        memories = current.mapValues { memory in
            Memory(
                lastAccepted: timestamp(memory.lastAccepted), interval: memory.interval, isSilent: memory.isSilent,
                counters: memory.counters, restarts: memory.restarts.mapValues(timestamp))
        }
        let members = memories.sorted { $0.key.value < $1.key.value }.map { ("\($0.key)", $0.value.json) }
        file.store(.object(JSON.Object(members)), orLog: "the times of the last advertisements are not stored")
    }
}

extension AdvertiserStore.Memory {
    fileprivate init?(_ json: JSON) {
        guard let lastAccepted = json["last_heard"]?.int, lastAccepted >= 0 else { return nil }
        self.init(
            lastAccepted: Timestamp(milliseconds: Int64(lastAccepted)),
            interval: json["interval"]?.int.flatMap { milliseconds in
                (1...Self.longestInterval).contains(milliseconds) ? .milliseconds(milliseconds) : nil
            },
            isSilent: json["silent"]?.bool ?? false,
            counters: Dictionary(
                (json["counters"]?.object ?? [:]).compactMap { member in
                    member.value.number.flatMap { UInt64($0.text) }.map { (member.name, $0) }
                }
            ) { first, _ in first },
            restarts: Dictionary(
                (json["restarts"]?.object ?? [:]).compactMap { member in
                    member.value.int.flatMap { $0 < 0 ? nil : (member.name, Timestamp(milliseconds: Int64($0))) }
                }
            ) { first, _ in first })
    }

    /// The longest interval in milliseconds that is loaded: a week.
    private static let longestInterval = 7 * 24 * 3_600_000

    /// The memory as a JSON object; times are in milliseconds, `last_heard` and `restarts` since 1970.
    fileprivate var json: JSON {
        var members: JSON.Object = ["last_heard": .number(lastAccepted.milliseconds)]
        members.add("interval", interval.map { .number($0.nanoseconds / 1_000_000) })
        members["silent"] = .bool(isSilent)
        if !counters.isEmpty {
            let counters = counters.sorted { $0.key < $1.key }.map { ($0.key, JSON.number($0.value)) }
            members["counters"] = .object(JSON.Object(counters))
        }
        if !restarts.isEmpty {
            let restarts = restarts.sorted { $0.key < $1.key }.map { name, time in
                (name, JSON.number(time.milliseconds))
            }
            members["restarts"] = .object(JSON.Object(restarts))
        }
        return .object(members)
    }

    /// Whether a memory has the same state, about the same interval (at most twice as long or half as long), and about the
    /// same counters.
    fileprivate func isLike(_ other: AdvertiserMemory) -> Bool {
        guard isSilent == other.isSilent, areCountersLike(other.counters) else { return false }
        guard let interval, let otherInterval = other.interval else { return interval == other.interval }
        return interval <= otherInterval * 2 && otherInterval <= interval * 2
    }

    /// Whether each counter is at most 1,000 greater, and none is lower or new.
    ///
    /// After a power cut, up to so many packets could be replayed.
    private func areCountersLike(_ others: [String: UInt64]) -> Bool {
        others.allSatisfy { name, other in
            counters[name].map { $0 <= other && other - $0 <= 1000 } ?? false
        }
    }
}

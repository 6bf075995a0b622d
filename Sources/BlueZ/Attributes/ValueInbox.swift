import Bluetooth
import EventLoop
import System

/// The subscriptions of a connection, and the values that cannot be delivered yet.
///
/// A struct stored in the peripheral, because each received value causes a look-up here.
struct ValueInbox {
    /// The subscriptions, by the object path of the characteristic.
    private(set) var subscriptions = PathTable<Subscription>()
    /// The values that arrived during a read of the same characteristic, by the object path of the characteristic.
    private var held: [String: HeldValues] = [:]
    /// The values of characteristics without a subscription, oldest first.
    private var early: [(path: String, value: ArrivedValue)] = []

    private static let earlyCapacity = 256
    /// The maximum age of an early value at its delivery.
    private static let earlyValidity = Duration.seconds(30)

    // MARK: Subscriptions

    mutating func subscribe(_ subscription: Subscription) {
        subscriptions[subscription.characteristic.path] = subscription
    }

    mutating func unsubscribe(_ path: String) -> Subscription? {
        subscriptions.removeValue(forPath: path)
    }

    /// Ends all subscriptions, and drops the early values.
    mutating func removeAll() {
        for subscription in subscriptions.values { subscription.close() }
        subscriptions = PathTable()
        early = []
    }

    // MARK: Reads

    /// Whether a read is under way or waits for its turn.
    var isHolding: Bool { !held.isEmpty }
    /// The largest number of values that are held for one characteristic.
    var heldCount: Int { held.values.map(\.count).max() ?? 0 }

    mutating func beginRead(of path: String) {
        held[path, default: HeldValues()].beginRead()
    }

    /// Drops the result of a read from the values that arrived during the read.
    mutating func dropEcho(of value: [UInt8], at path: String) {
        held[path]?.dropEcho(of: value)
    }

    /// Ends a read.
    ///
    /// - Returns: The values that were notified during the read.
    mutating func endRead(of path: String) -> [ArrivedValue] {
        guard var values = held.removeValue(forKey: path) else { return [] }
        let notified = values.takeNotified()
        if values.endRead() { held[path] = values }
        return notified
    }

    /// Returns the path of a signal as a string if the characteristic at this path is being read; nil otherwise.
    func heldPath(_ path: Span<UInt8>) -> String? {
        held.keys.first { path.isText($0) }
    }

    /// Holds a value until the result of the read is known.
    ///
    /// - Returns: The oldest held value if there are too many: it was notified and not read; nil otherwise.
    mutating func hold(_ value: ArrivedValue, at path: String) -> ArrivedValue? {
        held[path]?.hold(value)
    }

    /// Removes all held values, because the reads are cancelled, and returns the values of subscribed characteristics.
    mutating func takeHeld() -> [(characteristic: Characteristic, values: [ArrivedValue])] {
        let all = held
        held = [:]
        return all.compactMap { path, values in
            var values = values
            guard let characteristic = subscriptions[path]?.characteristic else { return nil }
            return (characteristic, values.takeNotified())
        }
    }

    // MARK: Early values

    /// Stores a value that arrived without a subscription.
    ///
    /// If `earlyCapacity` values are stored, the oldest value of the characteristic with the most values is dropped: a
    /// characteristic that notifies often does not displace the only value of another one.
    mutating func keepEarly(_ value: Span<UInt8>, at path: Span<UInt8>, _ now: Instant) {
        let name = String(decoding: [UInt8](path), as: UTF8.self)
        if early.count >= Self.earlyCapacity {
            let counts = early.reduce(into: [:]) { $0[$1.path, default: 0] += 1 }
            let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
            if let oldest = early.firstIndex(where: { $0.path == most }) { early.remove(at: oldest) }
        }
        early.append((name, ArrivedValue(bytes: [UInt8](value), arrival: now)))
    }

    /// Removes and returns the early values of a characteristic that are not older than `earlyValidity`, oldest first.
    mutating func takeEarly(of path: String, at now: Instant) -> [ArrivedValue] {
        if early.isEmpty { return [] }
        defer { early.removeAll { $0.path == path } }
        return early.filter { $0.path == path && now - $0.value.arrival < Self.earlyValidity }.map(\.value)
    }
}

/// A value that could not be delivered when it arrived.
struct ArrivedValue {
    let bytes: [UInt8]
    let arrival: Instant
}

/// The values of a characteristic that bluetoothd signals during a read: notifications and the result of the read.
///
/// bluetoothd signals the value that it has read just before it replies.
private struct HeldValues {
    /// The number of reads that are under way or wait for their turn.
    private var readers = 0
    /// The held values, oldest first.
    private var values: [ArrivedValue] = []

    private static let capacity = 16

    var count: Int { values.count }

    mutating func beginRead() {
        readers += 1
    }

    /// Ends a read.
    ///
    /// - Returns: Whether other reads of the characteristic are still under way.
    mutating func endRead() -> Bool {
        readers -= 1
        return readers > 0
    }

    mutating func hold(_ value: ArrivedValue) -> ArrivedValue? {
        values.append(value)
        return values.count > Self.capacity ? values.removeFirst() : nil
    }

    /// Drops the result of a read: the newest held value that equals it.
    mutating func dropEcho(of value: [UInt8]) {
        if let echo = values.lastIndex(where: { $0.bytes == value }) { values.remove(at: echo) }
    }

    /// Removes and returns the remaining values.
    ///
    /// All of them came from notifications.
    mutating func takeNotified() -> [ArrivedValue] {
        defer { values = [] }
        return values
    }
}

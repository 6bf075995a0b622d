import Bluetooth
import EventLoop
import System

/// The subscriptions of a connection, and the values that cannot be delivered yet.
///
/// A struct inside the peripheral: each value is looked up in it.
struct ValueInbox {
    /// The subscriptions by the path of the characteristic's object.
    private(set) var subscriptions = PathTable<Subscription>()
    /// The values that arrived during a read of the same characteristic, by its path.
    private var held: [String: HeldValues] = [:]
    /// The values that arrived before a subscription, in order.
    private var early: [EarlyValue] = []

    private struct EarlyValue {
        let path: String
        let value: [UInt8]
        let received: Instant
    }

    private static let earlyCapacity = 32
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

    /// Whether a read is under way.
    var isHolding: Bool { !held.isEmpty }
    /// The largest number of values that are held for one characteristic.
    var heldCount: Int { held.values.map(\.count).max() ?? 0 }

    mutating func beginRead(of path: String) {
        held[path, default: HeldValues()].beginRead()
    }

    /// Drops the value that was read from those that arrived during the read.
    mutating func dropEcho(of value: [UInt8], at path: String) {
        held[path]?.dropEcho(of: value)
    }

    /// Ends a read.
    ///
    /// - Returns: The values that were notified during the read.
    mutating func endRead(of path: String) -> [[UInt8]] {
        guard var values = held.removeValue(forKey: path) else { return [] }
        let notified = values.takeNotified()
        if values.endRead() { held[path] = values }
        return notified
    }

    /// The path of the read to which a signal belongs, if there is one.
    func heldPath(_ path: Span<UInt8>) -> String? {
        held.keys.first { path.isText($0) }
    }

    /// Holds a value until it is known which value was read.
    ///
    /// - Returns: A value that was held for long enough: it was notified.
    mutating func hold(_ value: [UInt8], at path: String) -> [UInt8]? {
        held[path]?.hold(value)
    }

    /// Takes all values that are held for subscriptions; their reads will not be answered.
    mutating func takeHeld() -> [(characteristic: Characteristic, values: [[UInt8]])] {
        let all = held
        held = [:]
        return all.compactMap { path, values in
            var values = values
            guard let characteristic = subscriptions[path]?.characteristic else { return nil }
            return (characteristic, values.takeNotified())
        }
    }

    // MARK: Early values

    /// Keeps a value that arrived before a subscription.
    mutating func keepEarly(_ value: Span<UInt8>, at path: Span<UInt8>, _ now: Instant) {
        guard early.count < Self.earlyCapacity else { return }
        let name = String(decoding: [UInt8](path), as: UTF8.self)
        early.append(EarlyValue(path: name, value: [UInt8](value), received: now))
    }

    /// Removes and returns the early values of a characteristic that are not older than `earlyValidity`.
    mutating func takeEarly(of path: String, at now: Instant) -> [[UInt8]] {
        defer { early.removeAll { $0.path == path } }
        return early.filter { $0.path == path && now - $0.received < Self.earlyValidity }.map(\.value)
    }
}

/// The values of a characteristic that bluetoothd signals during a read: notifications and the result of the read.
///
/// bluetoothd signals the value that it has read just before it replies.
private struct HeldValues {
    /// The number of reads that are under way or wait for their turn.
    private var readers = 0
    /// The held values, oldest first.
    private var values: [[UInt8]] = []

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

    mutating func hold(_ value: [UInt8]) -> [UInt8]? {
        values.append(value)
        return values.count > Self.capacity ? values.removeFirst() : nil
    }

    /// Drops the result of a read: the newest held value that equals it.
    mutating func dropEcho(of value: [UInt8]) {
        if let echo = values.lastIndex(of: value) { values.remove(at: echo) }
    }

    /// Removes and returns the remaining values.
    ///
    /// All of them came from notifications.
    mutating func takeNotified() -> [[UInt8]] {
        defer { values = [] }
        return values
    }
}

/// What is signalled of a characteristic while it is read: notifications, and what was read.
///
/// bluetoothd signals what it has read just before it answers: only the newest can be that.
struct HeldValues {
    /// How many reads are under way or wait for their turn.
    var readers = 0
    /// In the order in which they came.
    private(set) var values: [[UInt8]] = []

    private static let capacity = 16

    /// Keeps a value until it is known what was read.
    ///
    /// - Returns: one that was kept for long enough: a notification.
    mutating func hold(_ value: [UInt8]) -> [UInt8]? {
        values.append(value)
        return values.count > Self.capacity ? values.removeFirst() : nil
    }

    /// Drops the one that is what was read.
    mutating func dropEcho(of value: [UInt8]) {
        if let echo = values.lastIndex(of: value) { values.remove(at: echo) }
    }

    /// Takes those that are left, which were notified.
    mutating func takeNotified() -> [[UInt8]] {
        defer { values = [] }
        return values
    }
}

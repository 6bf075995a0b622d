/// The sizes of the records of each device, and which device has to make room.
///
/// A device is the topic of a record without its last level: a device with many values does not push out those of another
/// one, and a device with many topics has no larger share.
struct DeviceShares {
    /// The records of one topic.
    private struct Share {
        var count = 0
        var bytes = 0
    }

    /// How many records a device gives before the devices are compared again.
    private static let portion = 16

    private var shares: [String: Share] = [:]

    /// Returns the device of a topic.
    static func device(of topic: String) -> String {
        guard let slash = topic.utf8.lastIndex(of: UInt8(ascii: "/")) else { return topic }
        return String(topic[..<slash])
    }

    /// Adds records of a topic; negative numbers remove them.
    mutating func add(_ count: Int, bytes: Int, of topic: String) {
        let device = Self.device(of: topic)
        var share = shares[device] ?? Share()
        share.count += count
        share.bytes += bytes
        shares[device] = share.count > 0 ? share : nil
    }

    mutating func removeAll() {
        shares = [:]
    }

    /// Plans how many of its oldest records each device gives, so that the largest shares become smaller.
    ///
    /// - Parameter most: the number of records of all devices together.
    /// - Returns: The number of records, by the device.
    func contributions(_ most: Int) -> [String: Int] {
        var (rest, shares, contributions) = (most, shares, [String: Int]())
        while rest > 0, let largest = shares.max(by: { $0.value.bytes < $1.value.bytes }) {
            let count = min(Self.portion, rest, largest.value.count)
            contributions[largest.key, default: 0] += count
            rest -= count
            let left = largest.value.count - count
            shares[largest.key] =
                left > 0 ? Share(count: left, bytes: largest.value.bytes / largest.value.count * left) : nil
        }
        return contributions
    }
}

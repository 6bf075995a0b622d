package import Bluetooth
package import System

/// The devices that a fleet rule matches and that were seen too briefly to be adopted.
///
/// A sender that invents an address for each packet is never seen twice with the same address.
package struct Newcomers {
    /// The time between the first advertisement and the adoption.
    private static let probation = Duration.seconds(1)
    /// The maximum number of devices; the device that was seen first gives way to a new one.
    private static let capacity = 4000

    private var firsts: [Address: (sighting: Sighting, time: Instant)] = [:]
    /// The addresses in the order in which they were seen first, from `start` on; some may have been removed.
    private var order: [Address] = []
    private var start = 0

    package init() {}

    package var count: Int { firsts.count }

    /// Notes the first advertisement of a device.
    package mutating func add(_ sighting: Sighting, at now: Instant) {
        guard firsts[sighting.address] == nil else { return }
        firsts[sighting.address] = (sighting, now)
        order.append(sighting.address)
        while firsts.count > Self.capacity || start < order.count && firsts[order[start]] == nil {
            firsts[order[start]] = nil
            start += 1
        }
        if start > Self.capacity {
            order.removeFirst(start)
            start = 0
        }
    }

    /// Returns the first advertisement of a device that is seen again and may be adopted now; nil: none.
    package func proven(_ address: Address, at now: Instant) -> Sighting? {
        firsts[address].flatMap { now - $0.time >= Self.probation ? $0.sighting : nil }
    }

    package mutating func remove(_ address: Address) {
        firsts[address] = nil
    }
}

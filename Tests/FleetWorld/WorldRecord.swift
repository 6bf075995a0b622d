import Contract

/// The observations in a simulated world: those of subscribers, and those of an observer of all gateways.
struct WorldRecord {
    struct Receiver: Hashable {
        let gateway: Int
        let start: String
    }

    /// A time in which no gateway acted for a device.
    struct Gap {
        let device: Int
        let began: Double
        let ended: Double
    }

    /// The number of packets of advertisements that at least one gateway has received.
    var packets = 0
    /// The packets that arrived at the owner of the device while its right to publish was in doubt.
    var heldPackets: Set<Int> = []
    /// The sum of the times in which two gateways acted for a device, in seconds.
    var doubleOwnership = 0.0
    /// The number of times at which a gateway has followed a new key.
    var followedKeys = 0
    /// The device of each request.
    var asked: [String: Int] = [:]
    /// The processes that have received each request.
    var receivers: [String: Set<Receiver>] = [:]
    /// The requests that were written to a device.
    private var executed: Set<String> = []
    /// The number of second writes of a request.
    private(set) var doubleWrites = 0
    private(set) var repeatedReadings = 0
    /// The number of repeated readings and responses, and of fallen stamps, that no gateway could prevent, because none
    /// remembered.
    private(set) var forgotten = 0
    private(set) var toldReadings = 0
    /// The requests with two or more responses at a subscriber.
    private(set) var doubleResponses: Set<[String]> = []
    private(set) var statuses: [String: Int] = [:]
    private(set) var handovers = 0
    /// The number of assignments with a smaller stamp than the one before.
    private(set) var fallenStamps = 0
    private(set) var gaps: [Gap] = []
    /// A number that depends on every change of an owner and its time.
    private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    /// The first reading of each packet at each node, and the stamps that were remembered then if its stamp was not the newest.
    private var firstReadings: [Int: [Int: (reading: WorldReading, remembered: Set<FleetStamp>?)]] = [:]
    private var firstResponses: [[String]: WorldResponse] = [:]
    private var lastOwners: [Int: Int] = [:]
    private var lastStamps: [Int: FleetStamp] = [:]
    private var unowned: [Int: Double] = [:]

    /// Notes a reading that a subscriber at a node has received.
    ///
    /// `remembered` returns the stamps of the device that gateways remember. If no gateway remembers a newer assignment, the
    /// former owner publishes the readings that it has kept.
    mutating func consumed(_ reading: WorldReading, at node: Int, remembered: () -> Set<FleetStamp>) {
        let key = reading.packet &* 2 + (reading.isFromLink ? 1 : 0)
        guard let (first, firstRemembered) = firstReadings[node]?[key] else {
            let last = lastStamps[reading.device]
            let isOld = reading.stamp.map { stamp in last.map { stamp < $0 } ?? false } ?? false
            firstReadings[node, default: [:]][key] = (reading, isOld ? remembered() : nil)
            if node == 0 { toldReadings += 1 }
            return
        }
        // The same gateway may repeat a message of QoS 1.
        guard first.gateway != reading.gateway else { return }
        let isForgotten =
            if let one = first.stamp, let other = reading.stamp {
                one > other ? !remembered().contains(one) : firstRemembered.map { !$0.contains(other) } ?? false
            } else {
                false
            }
        if isForgotten { forgotten += 1 } else { repeatedReadings += 1 }
    }

    /// Whether a subscriber has received the reading of a packet.
    func isTold(_ packet: Int) -> Bool { firstReadings.values.contains { $0[packet &* 2] != nil } }

    /// Notes a response that a subscriber at a node has received.
    ///
    /// `isRemembered` returns whether another gateway remembers that the request was answered before.
    mutating func consumed(_ response: WorldResponse, at node: Int, isRemembered: () -> Bool) {
        let key = ["\(node)", response.request]
        statuses[response.status, default: 0] += 1
        guard let first = firstResponses[key] else {
            firstResponses[key] = response
            return
        }
        if first.status == response.status, first.gateway == response.gateway { return }
        if !response.isNew || isRemembered() { doubleResponses.insert(key) } else { forgotten += 1 }
    }

    /// Notes that a gateway writes a request to its device.
    ///
    /// A second write is never excused: a device must not do something twice, whatever the gateways remember.
    mutating func wrote(_ request: String) {
        if !executed.insert(request).inserted { doubleWrites += 1 }
    }

    /// Notes that a gateway acts for a device.
    ///
    /// `remembered` returns the stamps of the device that gateways remember.
    mutating func began(
        _ gateway: Int, _ device: Int, _ stamp: FleetStamp?, at time: Double, remembered: () -> Set<FleetStamp>
    ) {
        if let began = unowned.removeValue(forKey: device) {
            gaps.append(Gap(device: device, began: began, ended: time))
        }
        if let last = lastOwners[device], last != gateway { handovers += 1 }
        lastOwners[device] = gateway
        if let stamp {
            if let last = lastStamps[device], stamp < last {
                if remembered().contains(last) { fallenStamps += 1 } else { forgotten += 1 }
            }
            lastStamps[device] = stamp
        }
        for value in [UInt64(gateway), UInt64(device), time.bitPattern] { digest = (digest ^ value) &* 0x100_0000_01B3 }
    }

    mutating func ended(_ device: Int, at time: Double) {
        unowned[device] = time
    }

    mutating func clearGaps() {
        gaps = []
    }

    /// Whether a subscriber has received a response to a request.
    func isAnswered(_ request: String, nodes: Int) -> Bool {
        (0..<nodes).contains { firstResponses[["\($0)", request]] != nil }
    }
}

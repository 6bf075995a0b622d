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
    /// How often a request was written to its device.
    var executions: [String: Int] = [:]
    private(set) var repeatedReadings = 0
    private(set) var toldReadings = 0
    /// The number of responses to each request at a subscriber, without repetitions of the same one.
    private(set) var responses: [[String]: Int] = [:]
    private(set) var statuses: [String: Int] = [:]
    private(set) var handovers = 0
    /// The number of assignments with a smaller stamp than the one before.
    private(set) var fallenStamps = 0
    private(set) var gaps: [Gap] = []
    /// A number that depends on every change of an owner and its time.
    private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    private var firstPublishers: [Int: [Int: Int]] = [:]
    private var firstResponses: [[String]: WorldResponse] = [:]
    private var lastOwners: [Int: Int] = [:]
    private var lastStamps: [Int: FleetStamp] = [:]
    private var unowned: [Int: Double] = [:]

    mutating func consumed(_ reading: WorldReading, at node: Int) {
        let key = reading.packet &* 2 + (reading.isFromLink ? 1 : 0)
        guard let first = firstPublishers[node]?[key] else {
            firstPublishers[node, default: [:]][key] = reading.gateway
            if node == 0 { toldReadings += 1 }
            return
        }
        // The same gateway may repeat a message of QoS 1.
        if first != reading.gateway { repeatedReadings += 1 }
    }

    /// Whether a subscriber has received the reading of a packet.
    func isTold(_ packet: Int) -> Bool { firstPublishers.values.contains { $0[packet &* 2] != nil } }

    mutating func consumed(_ response: WorldResponse, at node: Int) {
        let key = ["\(node)", response.request]
        if let first = firstResponses[key] {
            if first.status == response.status, first.gateway == response.gateway { return }
        } else {
            firstResponses[key] = response
        }
        responses[key, default: 0] += 1
        statuses[response.status, default: 0] += 1
    }

    /// Notes that a gateway acts for a device.
    mutating func began(_ gateway: Int, _ device: Int, _ stamp: FleetStamp?, at time: Double) {
        if let began = unowned.removeValue(forKey: device) {
            gaps.append(Gap(device: device, began: began, ended: time))
        }
        if let last = lastOwners[device], last != gateway { handovers += 1 }
        lastOwners[device] = gateway
        if let stamp {
            if let last = lastStamps[device], stamp < last { fallenStamps += 1 }
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

    /// The requests with two or more responses at a subscriber.
    var doubleResponses: Int { responses.values.count { $0 > 1 } }
    /// The requests that were written to a device twice.
    var doubleWrites: Int { executions.values.count { $0 > 1 } }

    /// Whether a subscriber has received a response to a request.
    func isAnswered(_ request: String, nodes: Int) -> Bool {
        (0..<nodes).contains { responses[["\($0)", request]] != nil }
    }
}

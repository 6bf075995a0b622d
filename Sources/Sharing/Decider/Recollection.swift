import Contract

/// The assignments that the next decider gets from this gateway.
///
/// A gateway can return after a long time and report a device that another gateway has owned since, which is gone. The
/// decider needs the newer stamp: otherwise it confirms the old one, and readings are published twice.
///
/// The first full report of each connection has the stamps too: the gateway may have missed newer ones, which the decider
/// then publishes again.
struct Recollection: Sendable {
    /// The last owners of devices, in the decisions that this process has received.
    private var owners: DeviceValues<String>
    /// Whether the gateway has had its connection since a decider confirmed it.
    private var isContinuous = false
    /// The stamps for the full reports, until a decider confirms the gateway.
    private(set) var stamps: [String: FleetStamp] = [:]
    /// The gateways that reported to the decider when the stamps were selected; nil: they were not.
    private var reporting: Set<String>?

    /// - Parameter devices: The shared devices.
    init(_ devices: DeviceNumbers) {
        owners = DeviceValues(devices)
    }

    /// Uses another list of shared devices.
    mutating func use(_ devices: DeviceNumbers) {
        owners.use(devices)
    }

    /// Notes the owner of a device in a decision.
    mutating func assigned(_ device: String, to gateway: String) {
        owners[device] = gateway
    }

    /// Handles that the followed decider has confirmed the gateway: it knows the stamps.
    mutating func confirmed() {
        isContinuous = true
        stamps = [:]
        reporting = nil
    }

    /// Handles that the gateway may miss decisions.
    mutating func interrupted() {
        isContinuous = false
    }

    /// Selects the devices whose owners have failed since the gateway follows the decider.
    ///
    /// - Parameters:
    ///   - greatest: The greatest stamps of all decisions.
    ///   - gateways: The gateways that report to the decider.
    /// - Returns: Whether there are more stamps.
    mutating func recollect(_ greatest: DeviceValues<FleetStamp>, reporting gateways: Set<String>) -> Bool {
        guard gateways != reporting else { return false }
        reporting = gateways
        let count = stamps.count
        recollect(greatest, present: gateways)
        return stamps.count > count
    }

    /// Selects the devices whose owners may be gone, for a decider that does not know them.
    ///
    /// - Parameters:
    ///   - greatest: The greatest stamps of all decisions.
    ///   - present: The gateways that report to this decider.
    mutating func recollect(_ greatest: DeviceValues<FleetStamp>, present: Set<String>) {
        for (device, stamp) in greatest {
            if isContinuous, let owner = owners[device], present.contains(owner) { continue }
            stamps[device] = max(stamps[device] ?? stamp, stamp)
        }
        guard stamps.count > FleetConstants.recollection else { return }
        let newest = stamps.sorted { $0.value > $1.value }.prefix(FleetConstants.recollection)
        stamps = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
    }
}

import System

/// Rule 8: how long a gateway has been without its broker or its decider, and from which devices it has disconnected because
/// of that.
///
/// Other gateways own its devices after some seconds, and cannot connect while this one keeps its connections.
struct FleetAbsence: Sendable {
    /// Since when the gateway has been without its broker or its decider; nil: it has both.
    private var began: Instant?
    /// When the gateway disconnected from its devices; nil: it has not.
    private var disconnection: Instant?
    /// The devices that it has disconnected from and not connected again.
    private var devices: [String] = []

    init(since now: Instant) {
        began = now
    }

    /// Notes whether the gateway is without its broker or its decider now.
    mutating func update(_ isAbsent: Bool, at now: Instant) {
        if !isAbsent {
            began = nil
        } else if began == nil {
            (began, disconnection) = (now, nil)
        }
    }

    /// Whether the gateway must disconnect from all devices; it does so once.
    func mustDisconnect(at now: Instant) -> Bool {
        guard let began, disconnection == nil else { return false }
        return now - began >= FleetConstants.absentLinks
    }

    /// Notes the devices that the gateway disconnects from.
    mutating func disconnected(from links: Set<String>, at now: Instant) {
        disconnection = now
        devices = links.sorted()
    }

    /// Whether the gateway may connect to the devices again although its absence has not ended.
    func mayReturn(at now: Instant) -> Bool {
        guard began != nil, let disconnection else { return false }
        return now - disconnection >= FleetConstants.absentReturn
    }

    /// Returns the devices that the gateway disconnected from, once, in the order of their names.
    mutating func takeDevices() -> [String] {
        defer { devices = [] }
        return devices
    }
}

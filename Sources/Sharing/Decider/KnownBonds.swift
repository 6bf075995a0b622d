import Contract

/// The gateways that have a bond with a device, also those that do not run.
///
/// A bond stays on its gateway. Another gateway that connects could replace it.
struct KnownBonds: Sendable {
    /// The names of the gateways in order, by device.
    private(set) var gateways: [String: [String]]

    init(_ gateways: [String: [String]]) {
        self.gateways = gateways
    }

    /// Returns the gateways that have a bond with a device.
    subscript(device: String) -> [String] { gateways[device] ?? [] }

    /// Returns the devices that have a bond with a gateway.
    func devices(of gateway: String) -> Set<String> {
        Set(gateways.filter { $0.value.contains(gateway) }.keys)
    }

    /// Notes what a gateway has reported: the devices that have a bond with it, and no others.
    mutating func use(_ devices: Set<String>, of gateway: String) {
        for (device, names) in gateways where names.contains(gateway) && !devices.contains(device) {
            set(names.filter { $0 != gateway }, of: device)
        }
        for device in devices where !self[device].contains(gateway) { set(self[device] + [gateway], of: device) }
    }

    /// Notes what a decision says about a device.
    mutating func set(_ names: [String], of device: String) {
        guard gateways[device] != nil || gateways.count < FleetLimits.devices else { return }
        gateways[device] = names.isEmpty ? nil : names.sorted()
    }
}

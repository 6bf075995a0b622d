import Contract

/// Gateways without the key `share`, and the shared devices that they publish too.
///
/// The broker keeps the state and the list of devices of each gateway. Both gateways would publish such a device, and
/// neither can connect to it while the other one is connected.
struct UnsharedGateways {
    /// The maximum number of gateways whose lists are read.
    private static let mostGateways = 50
    /// The maximum number of devices that are reported for each gateway.
    private static let mostReports = 10

    private struct Known {
        /// The names of its devices.
        var devices: Set<String> = []
        var reported: Set<String> = []
    }

    private var gateways: [String: Known] = [:]

    /// Notes a gateway without `share` that is online; returns whether its list of devices must be read.
    mutating func found(_ gateway: String) -> Bool {
        guard gateways[gateway] == nil, gateways.count < Self.mostGateways else { return false }
        gateways[gateway] = Known()
        return true
    }

    /// Forgets a gateway that is offline, or shares devices now; returns whether its list of devices was read.
    mutating func forget(_ gateway: String) -> Bool { gateways.removeValue(forKey: gateway) != nil }

    mutating func listed(_ devices: Set<String>, by gateway: String) {
        gateways[gateway]?.devices = devices
    }

    /// Returns the pairs of a gateway and a device that are not reported yet.
    ///
    /// Another gateway reports the devices that it owns.
    mutating func reports(owns: (String) -> Bool) -> [(gateway: String, device: String)] {
        var reports: [(gateway: String, device: String)] = []
        for (name, gateway) in gateways.sorted(by: { $0.key < $1.key }) {
            let found = gateway.devices.subtracting(gateway.reported).filter(owns).sorted()
            let devices = found.prefix(Self.mostReports - gateway.reported.count)
            gateways[name]?.reported.formUnion(devices)
            reports += devices.map { (name, $0) }
        }
        return reports
    }
}

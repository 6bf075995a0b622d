import BlueZ
import Bluetooth
package import Configuration
package import JSON
package import Survey

extension ProfileRecognition {
    /// Returns the profiles that fit a device that was seen.
    package func proposals(for device: NearbyDevice) -> [Proposal] {
        proposals(
            for: device.address, name: device.name, services: device.services, companies: device.manufacturerData.keys)
    }

    /// Returns the profiles that fit an inspected device.
    package func proposals(for device: InspectedDevice) -> [Proposal] {
        let services = device.inspection.parts.map(\.service.uuid)
        return proposals(for: device.address, name: device.name, services: services, companies: [UInt16]())
    }

    /// Returns a device that was seen as JSON, with the names of the profiles that fit.
    package func json(_ device: NearbyDevice) -> JSON { device.json.adding(proposals(for: device)) }

    /// Returns an inspected device as JSON, with the names of the profiles that fit.
    package func json(_ device: InspectedDevice) -> JSON { device.json.adding(proposals(for: device)) }
}

extension JSON {
    fileprivate func adding(_ proposals: [ProfileRecognition.Proposal]) -> JSON {
        guard case .object(var members) = self, !proposals.isEmpty else { return self }
        members["profiles"] = .array(proposals.map { .string($0.name) })
        return .object(members)
    }
}

package import BlueZ
import Bluetooth
package import JSON

extension JSON {
    /// Creates the JSON of a service for the response to `discover`.
    package init(_ service: BlueZ.Service) {
        self.init(
            service, characteristics: service.characteristics.map { .object(Self.members(of: $0)) })
    }

    package init(_ service: BlueZ.Service, characteristics: [JSON]) {
        self = [
            "uuid": .text(service.uuid),
            "name": AssignedNumbers.services[service.uuid].map { .string($0) } ?? .null,
            "primary": .bool(service.isPrimary),
            "includes": .array(service.includedServices.map { .text($0) }),
            "characteristics": .array(characteristics),
        ]
    }

    package static func members(of characteristic: BlueZ.Characteristic) -> JSON.Object {
        [
            "uuid": .text(characteristic.uuid),
            "name": AssignedNumbers.characteristics[characteristic.uuid].map { .string($0) } ?? .null,
            "flags": .array(characteristic.properties.flags.map { .string($0) }),
            "descriptors": .array(characteristic.descriptors.map { .text($0.uuid) }),
        ]
    }
}

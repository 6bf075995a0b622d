package import BlueZ
import Bluetooth
package import JSON

extension JSON {
    /// Creates the JSON of a service for the response to `discover`.
    package init(_ service: BlueZ.Service) {
        self.init(
            service, characteristics: service.characteristics.map { .object(Object(Self.members(of: $0))) })
    }

    package init(_ service: BlueZ.Service, characteristics: [JSON]) {
        self = [
            "uuid": .string("\(service.uuid)"),
            "name": AssignedNumbers.services[service.uuid].map { .string($0) } ?? .null,
            "primary": .bool(service.isPrimary),
            "includes": .array(service.includedServices.map { .string("\($0)") }),
            "characteristics": .array(characteristics),
        ]
    }

    package static func members(of characteristic: BlueZ.Characteristic) -> [(String, JSON)] {
        [
            ("uuid", .string("\(characteristic.uuid)")),
            ("name", AssignedNumbers.characteristics[characteristic.uuid].map { .string($0) } ?? .null),
            ("flags", .array(characteristic.properties.flags.map { .string($0) })),
            ("descriptors", .array(characteristic.descriptors.map { .string("\($0.uuid)") })),
        ]
    }
}

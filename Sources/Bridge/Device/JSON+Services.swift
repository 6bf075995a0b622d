internal import BlueZ
internal import Bluetooth
internal import JSON

extension JSON {
    /// A service as the verb `discover` answers it.
    init(_ service: BlueZ.Service) {
        self = [
            "uuid": .string("\(service.uuid)"),
            "name": AssignedNumbers.services[service.uuid].map { .string($0) } ?? .null,
            "primary": .bool(service.isPrimary),
            "includes": .array(service.includedServices.map { .string("\($0)") }),
            "characteristics": .array(service.characteristics.map { JSON($0) }),
        ]
    }

    private init(_ characteristic: BlueZ.Characteristic) {
        self = [
            "uuid": .string("\(characteristic.uuid)"),
            "name": AssignedNumbers.characteristics[characteristic.uuid].map { .string($0) } ?? .null,
            "flags": .array(characteristic.properties.flags.map { .string($0) }),
            "descriptors": .array(characteristic.descriptors.map { .string("\($0.uuid)") }),
        ]
    }
}

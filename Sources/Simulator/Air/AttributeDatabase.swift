import Bluetooth

/// Assigns handles to the attributes of a peripheral.
enum AttributeDatabase {
    static let genericAccess = UUID(0x1800 as UInt16)
    static let genericAttribute = UUID(0x1801 as UInt16)
    static let battery = UUID(0x180F as UInt16)
    /// The UUIDs of the services that bluetoothd uses itself.
    static let claimed = [genericAccess, genericAttribute, battery]
    static let deviceName = UUID(0x2A00 as UInt16)
    static let batteryLevel = UUID(0x2A19 as UInt16)

    /// The maximum number of attributes of a peripheral: each attribute has a 16-bit handle, and handle 0 is not valid.
    static let capacity = Int(UInt16.max)
    /// The number of handles by which the services of the fleet file move with each revision.
    private static let stride = 0x100

    /// Returns all services: Generic Access, Generic Attribute, then the services of the fleet file.
    ///
    /// - Parameters:
    ///   - model: The peripheral in the fleet.
    ///   - revision: The number of times that the services have changed. Each change moves the services of the fleet
    ///     file to higher handles. If the handles do not suffice, these services return to the lowest handles.
    ///   - seed: The seed of random values.
    /// - Returns: The services, in the order of their handles.
    static func services(of model: SimulatedFleet.Peripheral, revision: Int, seed: UInt64) -> [PeripheralService] {
        var handle = 1
        var services = standardServices(of: model).map { service($0, at: &handle, seed) }
        let positions = (capacity - size(of: model)) / stride + 1
        handle += revision % positions * stride
        let own = model.services.map { service($0, at: &handle, seed) }
        for (model, service) in zip(model.services, own) {
            service.include(model.includes.compactMap { uuid in own.first { $0.uuid == uuid } })
        }
        services += own
        return services
    }

    /// Returns the number of attributes of a peripheral.
    static func size(of model: SimulatedFleet.Peripheral) -> Int {
        size(of: standardServices(of: model)) + size(of: model.services)
    }

    private static func size(of services: [SimulatedFleet.Service]) -> Int {
        services.reduce(0) { $0 + 1 + $1.includes.count + $1.characteristics.map(size).reduce(0, +) }
    }

    private static func size(of characteristic: SimulatedFleet.Characteristic) -> Int {
        2 + (characteristic.properties.canSubscribe ? 1 : 0) + characteristic.descriptors.count
    }

    private static func service(
        _ model: SimulatedFleet.Service, at handle: inout Int, _ seed: UInt64
    ) -> PeripheralService {
        let declaration = UInt16(handle)
        handle += 1 + model.includes.count
        let characteristics = model.characteristics.map { characteristic($0, at: &handle, seed) }
        return PeripheralService(model.uuid, handle: declaration, isPrimary: model.isPrimary, characteristics)
    }

    private static func characteristic(
        _ model: SimulatedFleet.Characteristic, at handle: inout Int, _ seed: UInt64
    ) -> PeripheralCharacteristic {
        let declaration = UInt16(handle)
        // The value attribute follows the declaration.
        handle += 2
        var descriptors: [PeripheralDescriptor] = []
        if model.properties.canSubscribe {
            let configuration = PeripheralDescriptor.configuration
            descriptors.append(PeripheralDescriptor(configuration, handle: UInt16(handle), [0, 0]))
            handle += 1
        }
        for descriptor in model.descriptors {
            descriptors.append(PeripheralDescriptor(descriptor.uuid, handle: UInt16(handle), descriptor.value))
            handle += 1
        }
        return PeripheralCharacteristic(model, handle: declaration, descriptors, seed: seed)
    }

    /// Returns the services that every peripheral has: Generic Access and Generic Attribute.
    private static func standardServices(of model: SimulatedFleet.Peripheral) -> [SimulatedFleet.Service] {
        let appearance = model.appearance ?? 0
        return [
            SimulatedFleet.Service(
                genericAccess,
                [
                    SimulatedFleet.Characteristic(deviceName, .read, Array(model.deviceName.utf8)),
                    SimulatedFleet.Characteristic(
                        UUID(0x2A01 as UInt16), .read, [UInt8(truncatingIfNeeded: appearance), UInt8(appearance >> 8)]),
                ]),
            SimulatedFleet.Service(
                genericAttribute,
                [
                    SimulatedFleet.Characteristic(UUID(0x2A05 as UInt16), .indicate, []),
                    SimulatedFleet.Characteristic(UUID(0x2B29 as UInt16), [.read, .write], [0]),
                    SimulatedFleet.Characteristic(UUID(0x2B2A as UInt16), .read, [UInt8](repeating: 0xDB, count: 16)),
                ]),
        ]
    }
}

extension SimulatedFleet.Service {
    fileprivate init(_ uuid: UUID, _ characteristics: [SimulatedFleet.Characteristic]) {
        self.init(uuid: uuid, isPrimary: true, includes: [], characteristics: characteristics)
    }
}

extension SimulatedFleet.Characteristic {
    fileprivate init(_ uuid: UUID, _ properties: CharacteristicProperties, _ value: [UInt8]) {
        self.init(
            uuid: uuid, properties: properties, content: .bytes([value]), notifyInterval: nil, readError: nil,
            writeError: nil, subscribeError: nil, needsBond: false, mirror: nil, descriptors: [])
    }
}

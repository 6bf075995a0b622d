package import BlueZ
package import Bluetooth
package import Codec

/// What a device has: its services, their characteristics, and the values that can be read.
package struct Inspection: Sendable {
    package struct Service: Sendable {
        package let uuid: UUID
        package let isPrimary: Bool
        package let includedServices: [UUID]
        package let characteristics: [Characteristic]
    }

    package struct Characteristic: Sendable {
        package let uuid: UUID
        package let properties: CharacteristicProperties
        /// What the device calls it (descriptor 2901).
        package let userDescription: String?
        /// How its bytes are read: as the SIG laid down, or as its own descriptors say; nil where nobody does.
        package let format: Format?
        /// Nil where it cannot be read at all.
        package let value: Result<[UInt8], CentralError>?
    }

    package let address: Address
    package let name: String?
    package let services: [Service]
}

extension Inspection {
    /// Looks through a peripheral whose link is up, and reads what can be read.
    ///
    /// - Throws: `CentralError` when its services cannot be looked up; what cannot be read says so in its place.
    package static func walk(_ peripheral: Peripheral) async throws(CentralError) -> Inspection {
        var services: [Service] = []
        for service in try await peripheral.discoverServices() {
            var characteristics: [Characteristic] = []
            for characteristic in service.characteristics {
                characteristics.append(await inspect(characteristic, of: peripheral))
            }
            services.append(
                Service(
                    uuid: service.uuid, isPrimary: service.isPrimary, includedServices: service.includedServices,
                    characteristics: characteristics))
        }
        return Inspection(address: peripheral.address, name: await peripheral.name, services: services)
    }

    private static func inspect(
        _ characteristic: BlueZ.Characteristic, of peripheral: Peripheral
    ) async -> Characteristic {
        let description = await descriptor(0x2901, of: characteristic, peripheral)
        var format = Characteristics.definition(of: characteristic.uuid)?.format
        if format == nil, let presentation = await descriptor(0x2904, of: characteristic, peripheral) {
            // What a device says wrongly of itself is as good as nothing.
            format = try? Format(presentation: presentation, description: description)
        }
        var value: Result<[UInt8], CentralError>?
        if characteristic.properties.contains(.read) {
            do throws(CentralError) {
                value = .success(try await peripheral.readValue(of: characteristic))
            } catch {
                value = .failure(error)
            }
        }
        return Characteristic(
            uuid: characteristic.uuid, properties: characteristic.properties,
            userDescription: description.map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) },
            format: format, value: value)
    }

    private static func descriptor(
        _ number: UInt16, of characteristic: BlueZ.Characteristic, _ peripheral: Peripheral
    ) async -> [UInt8]? {
        let uuid = UUID(number)
        guard let descriptor = characteristic.descriptors.first(where: { $0.uuid == uuid }) else { return nil }
        return try? await peripheral.readValue(of: descriptor)
    }
}

extension Inspection.Characteristic {
    /// What its bytes mean; nil where they could not be read or nobody knows.
    package var reading: Reading? {
        guard let format, case .success(let bytes)? = value else { return nil }
        return try? format.decode(bytes)
    }
}

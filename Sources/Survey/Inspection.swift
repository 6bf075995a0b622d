package import BlueZ
import Bluetooth
package import Codec

/// The services of a connected peripheral, with the flags and values of their characteristics.
package struct Inspection: Sendable {
    package struct Part: Sendable {
        package let service: BlueZ.Service
        package let findings: [Finding]
    }

    /// A characteristic with its description, format and value.
    package struct Finding: Sendable {
        package let characteristic: BlueZ.Characteristic
        /// The description by the peripheral (descriptor 2901).
        package let description: String?
        /// The format that the Bluetooth SIG or the descriptors of the characteristic specify; nil if neither does.
        package let format: Format?
        /// The value, or the error of the read; nil if the characteristic cannot be read.
        package let value: Result<[UInt8], CentralError>?
    }

    package let parts: [Part]

    /// Discovers all services and reads all readable characteristics in order; a rejected read is not an error.
    ///
    /// - Parameters:
    ///   - peripheral: the peripheral, which must be connected.
    ///   - progress: called before each characteristic with the number of completed characteristics and the total.
    ///   - isolation: the actor of the caller.
    /// - Throws: `CentralError` if the services cannot be discovered, if they change, or if the connection ends.
    package init(
        of peripheral: Peripheral, progress: (Int, Int) -> Void = { _, _ in },
        isolation: isolated (any Actor)? = #isolation
    ) async throws(CentralError) {
        let services = try await peripheral.discoverServices()
        let count = services.reduce(0) { $0 + $1.characteristics.count }
        var done = 0
        var parts: [Part] = []
        for service in services {
            var findings: [Finding] = []
            for characteristic in service.characteristics {
                progress(done, count)
                findings.append(try await Finding(characteristic, of: peripheral))
                done += 1
            }
            parts.append(Part(service: service, findings: findings))
        }
        self.parts = parts
    }
}

extension Inspection.Finding {
    package init(
        _ characteristic: BlueZ.Characteristic, of peripheral: Peripheral,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(CentralError) {
        let description = try await Self.read(0x2901, of: characteristic, of: peripheral)
        var value: Result<[UInt8], CentralError>?
        if characteristic.properties.contains(.read) {
            do throws(CentralError) {
                value = .success(try await peripheral.readValue(of: characteristic))
            } catch {
                // After a disconnection or a change of the services, the characteristics are not valid any more.
                guard !error.isOfTheWhole else { throw error }
                value = .failure(error)
            }
        }
        let text = description.map { String(decoding: $0, as: UTF8.self) }
        self.init(
            characteristic: characteristic, description: text?.isEmpty == true ? nil : text,
            format: try await Self.format(of: characteristic, description: description, of: peripheral), value: value)
    }

    /// Returns the format of a characteristic that the Bluetooth SIG or its own descriptors specify; nil if neither
    /// does.
    ///
    /// - Throws: `CentralError` if the connection ends or the services change.
    package static func format(
        of characteristic: BlueZ.Characteristic, of peripheral: Peripheral,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(CentralError) -> Format? {
        let description = try await read(0x2901, of: characteristic, of: peripheral)
        return try await format(of: characteristic, description: description, of: peripheral)
    }

    private static func format(
        of characteristic: BlueZ.Characteristic, description: [UInt8]?, of peripheral: Peripheral,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(CentralError) -> Format? {
        if let definition = Characteristics.definition(of: characteristic.uuid) { return definition.format }
        // Several format descriptors describe the parts of a longer value, but not the order of the parts.
        guard characteristic.descriptors.count(where: { $0.uuid == UUID(0x2904 as UInt16) }) == 1,
            let presentation = try await read(0x2904, of: characteristic, of: peripheral)
        else { return nil }
        let range = try await read(0x2906, of: characteristic, of: peripheral)
        return try? Format(presentation: presentation, description: description, range: range)
    }

    /// Returns the value of a descriptor; nil if the characteristic lacks the descriptor or the read is rejected.
    private static func read(
        _ descriptor: UInt16, of characteristic: BlueZ.Characteristic, of peripheral: Peripheral,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(CentralError) -> [UInt8]? {
        let uuid = UUID(descriptor)
        guard let descriptor = characteristic.descriptors.first(where: { $0.uuid == uuid }) else { return nil }
        do throws(CentralError) {
            return try await peripheral.readValue(of: descriptor)
        } catch {
            guard !error.isOfTheWhole else { throw error }
            return nil
        }
    }

    /// The decoded value; nil if there is no value or no format, or if the value does not fit the format.
    package var reading: Reading? {
        guard case .success(let bytes)? = value else { return nil }
        return try? format?.decode(bytes)
    }
}

extension CentralError {
    /// Whether the error affects all attributes of the peripheral.
    fileprivate var isOfTheWhole: Bool { [.peripheralDisconnected, .servicesChanged].contains(code) }
}

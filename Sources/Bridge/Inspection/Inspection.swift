package import BlueZ
internal import Bluetooth
package import Codec

/// What a connected peripheral offers: its services, what can be done with each characteristic, and what it says now.
package struct Inspection: Sendable {
    package struct Part: Sendable {
        package let service: BlueZ.Service
        package let findings: [Finding]
    }

    /// A characteristic, and what was found out about it.
    package struct Finding: Sendable {
        package let characteristic: BlueZ.Characteristic
        /// What the peripheral calls it (descriptor 2901).
        package let description: String?
        /// What its bytes mean, by the Bluetooth SIG or by its own descriptors.
        package let format: Format?
        /// Its bytes, or why they could not be read; nil where it cannot be read at all.
        package let value: Result<[UInt8], CentralError>?
    }

    package let parts: [Part]

    package var findings: [Finding] { parts.flatMap(\.findings) }

    /// Discovers all services and reads whatever can be read, one after the other; a value that is refused is no error.
    ///
    /// - Parameters:
    ///   - peripheral: its link must be up.
    ///   - progress: is called before each characteristic with how many are done, and of how many.
    /// - Throws: `CentralError` when the services cannot be discovered, or the link goes down, or the services change.
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
                // Other characteristics may be in the places of these by now.
                guard !error.isOfTheWhole else { throw error }
                value = .failure(error)
            }
        }
        let text = description.map { String(decoding: $0, as: UTF8.self) }
        self.init(
            characteristic: characteristic, description: text?.isEmpty == true ? nil : text,
            format: try await Self.format(of: characteristic, description: description, of: peripheral), value: value)
    }

    /// What a characteristic's bytes mean: as the Bluetooth SIG laid down, or as its own descriptors say; nil where
    /// neither does.
    ///
    /// - Throws: `CentralError` when the link goes down, or the services change.
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
        // One with several says what the parts of a longer value are, and not in which order they stand there.
        guard characteristic.descriptors.count(where: { $0.uuid == UUID(0x2904 as UInt16) }) == 1,
            let presentation = try await read(0x2904, of: characteristic, of: peripheral)
        else { return nil }
        let range = try await read(0x2906, of: characteristic, of: peripheral)
        return try? Format(presentation: presentation, description: description, range: range)
    }

    /// The bytes of one of a characteristic's descriptors; nil where there is none, or none that can be read.
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

    /// What its bytes say; nil where there are none, or where they do not fit.
    package var reading: Reading? {
        guard case .success(let bytes)? = value else { return nil }
        return try? format?.decode(bytes)
    }
}

extension CentralError {
    /// It concerns everything that the peripheral has.
    fileprivate var isOfTheWhole: Bool { [.peripheralDisconnected, .servicesChanged].contains(code) }
}

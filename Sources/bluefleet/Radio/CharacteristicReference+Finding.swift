import BlueZ
import Bluetooth
import Bridge
import Codec
import Configuration
import Contract
import Survey

/// A characteristic of a connected device, with what is needed to show and encode its values.
struct AccessedCharacteristic {
    let characteristic: BlueZ.Characteristic
    /// The name in the configuration, else the SIG name, else the UUID.
    let name: String
    /// The format; nil if it is unknown.
    let format: Format?
    /// The unit in the configuration, which replaces that of the format.
    let unit: String?
}

extension CharacteristicReference {
    /// Finds the characteristic and determines its format.
    ///
    /// - Parameters:
    ///   - peripheral: The connected peripheral.
    ///   - target: The device on the command line.
    ///   - format: The format on the command line, which has priority; nil for none.
    ///   - isolation: The actor of the caller.
    /// - Returns: The characteristic.
    /// - Throws: `Failure` with advice if the device has no such characteristic or several; `CentralError` if the
    ///   connection ends.
    func access(
        on peripheral: Peripheral, _ target: Target, as format: Format?, isolation: isolated (any Actor)? = #isolation
    ) async throws -> AccessedCharacteristic {
        let characteristic = try find(in: try await peripheral.discoverServices(), of: target)
        var format = format ?? configured?.format
        if format == nil { format = try await Inspection.Finding.format(of: characteristic, of: peripheral) }
        return AccessedCharacteristic(
            characteristic: characteristic, name: configured?.name ?? characteristic.name, format: format,
            unit: configured?.unit)
    }

    /// Finds the characteristic among the characteristics of a device.
    ///
    /// - Throws: `Failure` with advice if the device has no such characteristic or several.
    private func find(in services: [BlueZ.Service], of target: Target) throws(Failure) -> BlueZ.Characteristic {
        let candidates = services.filter { service == nil || $0.uuid == service }.flatMap(\.characteristics)
        let found = candidates.filter { $0.uuid == uuid }
        if let instance, found.indices.contains(instance - 1) { return found[instance - 1] }
        if instance == nil, found.count == 1 { return found[0] }
        if found.isEmpty, let device = target.device, device.connect == .never {
            throw Failure(
                .unavailable,
                "\(target.address) has no characteristic \(text.quotedForMessage); \(device.onlyAdvertises)")
        }
        if found.isEmpty || instance != nil {
            throw Failure(
                .unavailable,
                "\(target.address) has no characteristic \(text.quotedForMessage); list its characteristics with "
                    + "bluefleet inspect \(target.words)")
        }
        if configured != nil {
            let ambiguity = CharacteristicAmbiguity(found.map(\.service))
            throw Failure(
                .usage,
                "\(target.words) \(text.quotedForMessage): \(uuid) exists \(ambiguity.places): add \"\(ambiguity.key): "
                    + "\(ambiguity.first)\" or another one of them to this characteristic in the configuration")
        }
        let choices = found.map { "\($0.service)/\($0.uuid)" }
        guard Set(choices).count > 1 else {
            throw Failure(
                .usage,
                "\(target.address) has \(found.count) characteristics \(text.quotedForMessage): append #1, #2, …")
        }
        throw Failure(.usage, "\(text.quotedForMessage) is ambiguous: use \(choices.joined(separator: " or "))")
    }
}

extension BlueZ.Characteristic {
    /// The SIG name, or the UUID.
    var name: String {
        AssignedNumbers.characteristics[uuid] ?? "\(uuid)"
    }
}

extension NumberedNames {
    /// Returns the name with the number, `temperature (2A6E)`, or the number only.
    func label(of uuid: UUID) -> String {
        self[uuid].map { "\($0) (\(uuid))" } ?? "\(uuid)"
    }
}

import BlueZ
import Bluetooth
import Codec
import Configuration

extension CharacteristicReference {
    /// Finds the characteristic among the characteristics of a device.
    ///
    /// - Throws: `Failure` with advice if the device has no such characteristic or several.
    func find(in services: [BlueZ.Service], of target: Target) throws(Failure) -> BlueZ.Characteristic {
        let candidates = services.filter { service == nil || $0.uuid == service }.flatMap(\.characteristics)
        let found = candidates.filter { $0.uuid == uuid }
        if let instance, found.indices.contains(instance - 1) { return found[instance - 1] }
        if instance == nil, found.count == 1 { return found[0] }
        if found.isEmpty || instance != nil {
            throw Failure(
                .unavailable,
                "\(target.address) has no characteristic \(text.quotedForMessage); list its characteristics with "
                    + "bluefleet inspect \(target.words)")
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

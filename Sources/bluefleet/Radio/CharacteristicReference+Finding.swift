internal import BlueZ
internal import Bluetooth
internal import Codec
internal import Configuration

extension CharacteristicReference {
    /// The characteristic that is meant, among those of a device.
    ///
    /// - Throws: `Failure` when it has none or several, with what it has.
    func find(in services: [BlueZ.Service], of target: Target) throws(Failure) -> BlueZ.Characteristic {
        let candidates = services.filter { service == nil || $0.uuid == service }.flatMap(\.characteristics)
        let found = candidates.filter { $0.uuid == uuid }
        if let instance, found.indices.contains(instance - 1) { return found[instance - 1] }
        if instance == nil, found.count == 1 { return found[0] }
        if found.isEmpty || instance != nil {
            throw Failure(
                .unavailable,
                "\(target.address) has no characteristic \(text.quotedForMessage); what it has: "
                    + "bluefleet inspect \(target.words)")
        }
        let choices = found.map { "\($0.service)/\($0.uuid)" }
        guard Set(choices).count > 1 else {
            throw Failure(.usage, "\(target.address) has \(text.quotedForMessage) \(found.count) times: add #1, #2, …")
        }
        throw Failure(.usage, "\(text.quotedForMessage) is ambiguous: say \(choices.joined(separator: " or "))")
    }
}

extension BlueZ.Characteristic {
    /// Its SIG name, or its UUID.
    var name: String {
        AssignedNumbers.characteristics[uuid] ?? "\(uuid)"
    }
}

extension NumberedNames {
    /// A name beside its number, `temperature (2A6E)`, or the number alone.
    func label(of uuid: UUID) -> String {
        self[uuid].map { "\($0) (\(uuid))" } ?? "\(uuid)"
    }
}

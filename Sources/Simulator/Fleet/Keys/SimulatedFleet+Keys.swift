import Bluetooth
package import Configuration

extension SimulatedFleet {
    enum Keys {
        static let seed = Key(
            "seed", .integer(0...Int.max), default: "1",
            "The seed of the random numbers: the same seed gives the same values.")
        static let version = Key(
            "bluetoothd", Kind<BluetoothdVersion>.word, default: "5.66", example: "5.82",
            "The version of bluetoothd to simulate.")
        static let temporaryTimeout = Key(
            "temporary_timeout", .positiveDuration, default: "30s",
            "The time after which bluetoothd removes a device that it has not seen and that was never connected.")
        static let adapters = Key(
            "adapters", Adapter.named, default: "{hci0: {address: \"00:00:5E:00:53:01\"}}",
            "The adapters, by name, as in bluetoothd.")
        static let peripherals = Key(
            "peripherals", Peripheral.named, default: "{}", example: "{greenhouse: {address: C0:00:00:00:00:01}}",
            "The peripherals, by a name of your choice.")

        static let section = Section("fleet", seed, version, temporaryTimeout, adapters, peripherals)
    }

    /// The table of all keys, from which the reference is generated.
    package static var reference: Section { Keys.section }

    /// The content of a fleet file.
    package static let kind = Kind<SimulatedFleet>.mapping(Keys.section) { reader in
        let adapters = reader[Keys.adapters]
        let entries = reader[Keys.peripherals]
        check(entries, adapters, reader.mistakes)
        return SimulatedFleet(
            seed: UInt64(reader[Keys.seed]), version: reader[Keys.version],
            temporaryTimeout: reader[Keys.temporaryTimeout], adapters: adapters.map(\.value),
            peripherals: entries.compactMap(\.value).flatMap(\.peripherals))
    }

    /// Reports duplicate addresses and unknown adapters.
    private static func check(
        _ entries: [Named<PeripheralEntry?>], _ adapters: [Named<Adapter>], _ mistakes: Mistakes
    ) {
        var owners: [String: String] = [:]
        for entry in entries {
            guard let peripheral = entry.value else { continue }
            for name in peripheral.model.adapters ?? [] where !adapters.contains(where: { $0.name == name }) {
                mistakes.reportUnknown("adapter", name, among: adapters.map(\.name), at: entry.position)
            }
            for model in peripheral.peripherals {
                let identity = model.identity == model.address ? nil : model.identity
                for address in [model.address, identity].compactMap(\.self) {
                    guard let owner = owners.updateValue(model.name, forKey: address.description) else { continue }
                    mistakes.report("\(model.name) has the same address as \(owner): \(address)", at: entry.position)
                }
            }
        }
    }
}

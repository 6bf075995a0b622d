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
        static let hosts = Key(
            "hosts", Machine.named, default: "{}",
            example: "{attic: {position: [0, 0], adapters: {hci0: {address: \"00:00:5E:00:53:01\"}}}}",
            """
            Several hosts on one air, by name, in place of adapters. Each has its own bluetoothd on its own bus. The \
            other keys name the adapters of a host as attic/hci0.
            """)
        static let peripherals = Key(
            "peripherals", Peripheral.named, default: "{}", example: "{greenhouse: {address: C0:00:00:00:00:01}}",
            "The peripherals, by a name of your choice.")

        static let section = Section("fleet", seed, version, temporaryTimeout, adapters, hosts, peripherals)
    }

    /// The table of all keys, from which the reference is generated.
    package static var reference: Section { Keys.section }

    /// The content of a fleet file.
    package static let kind = Kind<SimulatedFleet>.mapping(Keys.section) { reader in
        let hosts = reader[Keys.hosts]
        if reader.has(Keys.hosts), reader.has(Keys.adapters) {
            reader.report("both 'hosts' and 'adapters' are given: move the adapters below a host", at: Keys.adapters)
        }
        let adapters =
            hosts.isEmpty
            ? reader[Keys.adapters].map { Located($0.value, at: $0.position) } : hosts.flatMap(\.value.adapters)
        let entries = reader[Keys.peripherals]
        check(adapters, reader.mistakes)
        check(entries, adapters.map(\.value.fullName), reader.mistakes)
        check(entries, hosts, reader.mistakes)
        let machines = hosts.map(\.value.machine)
        return SimulatedFleet(
            seed: UInt64(reader[Keys.seed]), version: reader[Keys.version],
            temporaryTimeout: reader[Keys.temporaryTimeout],
            machines: machines.isEmpty
                ? [Machine(name: nil, position: .origin, adapters: adapters.map(\.value))] : machines,
            peripherals: entries.compactMap(\.value).flatMap(\.peripherals))
    }

    /// Reports adapters with the same address.
    private static func check(_ adapters: [Located<Adapter>], _ mistakes: Mistakes) {
        var owners: [Address: String] = [:]
        for adapter in adapters {
            let name = adapter.value.fullName
            guard let owner = owners.updateValue(name, forKey: adapter.value.address) else { continue }
            mistakes.report(
                "\(name) has the same address as \(owner): \(adapter.value.address)", at: adapter.position)
        }
    }

    /// Reports peripherals with the name of a host: a change of the running simulation names either of them.
    private static func check(
        _ entries: [Named<PeripheralEntry?>], _ hosts: [Named<MachineEntry>], _ mistakes: Mistakes
    ) {
        for entry in entries where hosts.contains(where: { $0.name == entry.name }) {
            mistakes.report("\(entry.name) is the name of a host: give the peripheral another name", at: entry.position)
        }
    }

    /// Reports duplicate addresses and unknown adapters.
    private static func check(
        _ entries: [Named<PeripheralEntry?>], _ adapters: [String], _ mistakes: Mistakes
    ) {
        var owners: [String: String] = [:]
        for entry in entries {
            guard let peripheral = entry.value else { continue }
            for name in peripheral.model.adapters ?? [] where !adapters.contains(name) {
                mistakes.reportUnknown("adapter", name, among: adapters, at: entry.position)
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

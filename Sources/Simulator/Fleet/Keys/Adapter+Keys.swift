import Bluetooth
import Configuration

extension SimulatedFleet.Adapter {
    enum Keys {
        static let address = Key(
            required: "address", .address, example: "\"00:00:5E:00:53:01\"", "The adapter's address.")
        static let alias = Key(
            "name", .text, example: "attic", "The adapter's name; default: the version of bluetoothd.")
        static let powered = Key(
            "powered", .boolean, default: "true", "Whether the adapter is switched on at the start.")
        static let roles = Key(
            "roles", .list(of: Kind<String>.choice(["central": "central", "peripheral": "peripheral"])),
            default: "[central, peripheral]", "The roles that the adapter supports.")
        static let connections = Key(
            "connections", .integer(1...1000), default: "1000", example: "7",
            "The maximum number of connections at the same time.")
        static let advertisements = Key(
            "advertisements", .integer(0...255), default: "5", example: "1",
            "The maximum number of advertisements that programs send at the same time; 0: the adapter cannot send any.")
        static let delay = Key(
            "delay", .duration, default: "0s", example: "2s",
            "The time from the start of bluetoothd until the adapter appears.")
        static let faults = Key(
            "faults", Kind<[Fault.Rule]>.faults, default: "[]", example: "[scan dies]",
            Fault.Rule.meaning(Fault.ofAdapters, example: .scanDies))

        static let section = Section(
            "adapter", address, alias, powered, roles, connections, advertisements, delay, faults)
    }

    static let named = Kind<[Named<SimulatedFleet.Adapter>]>.mappings(Keys.section) {
        name, reader -> SimulatedFleet.Adapter? in
        if !isName(name.value) {
            reader.mistakes.report(
                "invalid adapter name '\(name.value)': use letters and digits, for example hci0", at: name.position)
        }
        let alias = reader[Keys.alias]
        let (isPowered, roles, connections) = (reader[Keys.powered], reader[Keys.roles], reader[Keys.connections])
        let (advertisements, delay, faults) = (reader[Keys.advertisements], reader[Keys.delay], reader[Keys.faults])
        return reader[Keys.address].map { address in
            SimulatedFleet.Adapter(
                host: nil, name: name.value, address: address, alias: alias, isPowered: isPowered, roles: roles,
                connections: connections, advertisements: advertisements, delay: delay, faults: faults)
        }
    }

    /// Returns whether the text can be the last part of an adapter's object path.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isPartOfPath)
    }

    private static func isPartOfPath(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

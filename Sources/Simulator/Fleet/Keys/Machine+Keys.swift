import Codec
import Configuration

/// A host in a fleet file: a machine, and its adapters with their positions in the file.
struct MachineEntry: Sendable {
    var machine: SimulatedFleet.Machine
    var adapters: [Located<SimulatedFleet.Adapter>]
}

extension SimulatedFleet.Machine {
    enum Keys {
        static let position = Key(
            "position", Kind<SimulatedFleet.Point>.point, default: "[0, 0]", example: "[12, 3]",
            "The position of the host, in metres.")
        static let adapters = Key(
            required: "adapters", SimulatedFleet.Adapter.named, example: "{hci0: {address: \"00:00:5E:00:53:01\"}}",
            "The adapters, by name, as in bluetoothd.")

        static let section = Section("host", position, adapters)
    }

    static let named = Kind<[Named<MachineEntry>]>.mappings(Keys.section) { name, reader -> MachineEntry? in
        if !isName(name.value) {
            reader.mistakes.report(
                "invalid host name '\(name.value)': use letters, digits, '-', '_' and '.', for example attic",
                at: name.position)
        }
        let position = reader[Keys.position]
        return reader[Keys.adapters].map { entries in
            let adapters = entries.map { entry in
                var adapter = entry.value
                adapter.host = name.value
                return Located(adapter, at: entry.position)
            }
            let machine = SimulatedFleet.Machine(
                name: name.value, position: position, adapters: adapters.map(\.value))
            return MachineEntry(machine: machine, adapters: adapters)
        }
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0))
            }
    }
}

extension Kind where Value == SimulatedFleet.Point {
    /// A position: two numbers, in metres.
    static var point: Kind {
        Kind<[Decimal]>.list(of: Kind<Decimal>.number(), example: "[12, 3]").map("position") {
            numbers throws(InvalidValue) in
            let range = SimulatedFleet.Point.range
            guard numbers.count == 2, numbers.allSatisfy({ range.contains($0.doubleValue) }) else {
                throw "expected two numbers from -10000 to 10000, in metres, for example [12, 3]"
            }
            return SimulatedFleet.Point(x: numbers[0].doubleValue, y: numbers[1].doubleValue)
        }
    }
}

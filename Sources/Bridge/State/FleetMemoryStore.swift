import Contract
import JSON
import Log
import Sharing
import System

/// The store of the greatest stamps of shared devices: the file `sharing.json` in the state folder.
///
/// It gives no right to publish: a copied, old or lost file does no harm.
struct FleetMemoryStore {
    private var file: StateFile
    /// The memory of this run, or of an earlier one.
    private(set) var memory = FleetMemory()

    /// Loads the memory that an earlier run has stored.
    init(in folder: String, observer: @escaping StateFile.Observer = { _ in }) {
        file = StateFile("sharing.json", of: "the stamps of shared devices", in: folder, observer: observer)
        if let json = file.read() { memory = FleetMemory(json) }
    }

    /// Stores the memory if it has changed.
    mutating func save(_ now: FleetMemory) {
        guard now != memory || file.isFailing else { return }
        memory = now
        file.store(now.json, orLog: "the stamps of shared devices are not stored")
    }
}

extension FleetMemory {
    fileprivate init(_ json: JSON) {
        self.init()
        if let epoch = json["epoch"]?.int, 0...FleetLimits.number ~= epoch { self.epoch = epoch }
        for member in (json["stamps"]?.object ?? [:]).prefix(FleetLimits.devices) {
            if let stamp = FleetStamp(member.value) { stamps[member.name] = stamp }
        }
        for member in (json["bonds"]?.object ?? [:]).prefix(FleetLimits.devices) {
            let names = (member.value.array ?? []).compactMap(\.string)
            if !names.isEmpty { bonds[member.name] = names.sorted() }
        }
    }

    fileprivate var json: JSON {
        let stamps = stamps.sorted { $0.device < $1.device }.map { ($0.device, $0.value.json) }
        let bonds = bonds.sorted { $0.key < $1.key }.map { ($0.key, JSON.array($0.value.map { .string($0) })) }
        return [
            "epoch": .number(epoch), "stamps": .object(JSON.Object(stamps)), "bonds": .object(JSON.Object(bonds)),
        ]
    }
}

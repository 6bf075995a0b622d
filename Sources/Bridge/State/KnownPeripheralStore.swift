import BlueZ
import Bluetooth
import EventLoop
import JSON
import Log
import System

/// The store of the known peripherals: the file `peripherals.json` in the state folder.
struct KnownPeripheralStore {
    private var file: StateFile
    /// The peripherals that were last loaded from the file or stored in it.
    private var written: [KnownPeripheral] = []
    init(in folder: String, observer: @escaping StateFile.Observer = { _ in }) {
        file = StateFile("peripherals.json", of: "the known peripherals", in: folder, observer: observer)
    }

    /// Returns the peripherals that an earlier run has stored; empty if the file is missing or damaged.
    mutating func load() -> [KnownPeripheral] {
        written = (file.read()?["peripherals"]?.array ?? []).compactMap { KnownPeripheral($0) }
        return written
    }

    /// Stores the peripherals if they differ from the stored ones.
    ///
    /// A memory card has a limited number of writes: the times of the last advertisements alone are written once a day.
    ///
    /// - Parameters:
    ///   - known: the peripherals.
    ///   - isLast: whether the program stops: each difference of the times is written.
    mutating func save(_ known: [KnownPeripheral], isLast: Bool = false) {
        guard isNews(known, above: isLast ? 0 : Self.staleness) else { return }
        if file.store(["peripherals": .array(known.map(\.json))], orLog: "the known peripherals are not stored") {
            written = known
        }
    }

    /// The difference of the times of the last advertisement above which the file is written, in milliseconds.
    private static let staleness: Int64 = 24 * 3_600_000

    private func isNews(_ known: [KnownPeripheral], above staleness: Int64) -> Bool {
        guard known.count == written.count else { return true }
        return zip(known, written).contains { new, old in
            let isSame =
                new.address == old.address && new.adapter == old.adapter && new.name == old.name
                && new.isConnected == old.isConnected && new.identity == old.identity
            let age = (new.lastSeen?.milliseconds ?? 0) - (old.lastSeen?.milliseconds ?? 0)
            return !isSame || age.magnitude > staleness
        }
    }
}

extension KnownPeripheral {
    fileprivate init?(_ json: JSON) {
        guard let address = json["address"]?.string.flatMap({ Address($0) }) else { return nil }
        self.init(
            address: address, identity: json["identity"]?.string.flatMap { Address($0) },
            adapter: json["adapter"]?.string.flatMap { Address($0) }, name: json["name"]?.string,
            lastSeen: json["last_heard"]?.int.flatMap { $0 < 0 ? nil : Timestamp(milliseconds: Int64($0)) },
            isConnected: json["connected"]?.bool ?? false)
    }

    /// The peripheral as a JSON object; times are in milliseconds since 1970.
    fileprivate var json: JSON {
        var members: JSON.Object = ["address": .text(address)]
        members.add("identity", text: identity)
        members.add("adapter", text: adapter)
        members.add("name", name)
        members.add("last_heard", lastSeen.map { .number($0.milliseconds) })
        members["connected"] = .bool(isConnected)
        return .object(members)
    }
}

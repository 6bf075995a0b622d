import Bluetooth
import Codec
import EventLoop
import JSON
import Log
import System

/// The store of the quantities that devices have advertised: the file `quantities.json` in the state folder.
///
/// At the next start, the gateway announces the entities of these quantities before the first advertisement arrives.
/// Otherwise Home Assistant would remove the entities and lose their settings.
struct QuantitiesStore {
    private var file: StateFile
    private var quantities: [Address: [AdvertisedQuantity]] = [:]
    /// Whether the last attempt to write failed.
    var isFailing: Bool { file.isFailing }

    /// Loads the quantities that an earlier run has stored.
    init(in folder: String, observer: @escaping StateFile.Observer = { _ in }) {
        file = StateFile(
            "quantities.json", of: "the advertised quantities", in: folder, isForced: true, observer: observer)
        for member in file.read()?.object ?? [:] {
            guard let address = Address(member.name) else { continue }
            quantities[address] = (member.value.array ?? []).compactMap { AdvertisedQuantity($0) }
        }
    }

    subscript(address: Address) -> [AdvertisedQuantity] { quantities[address] ?? [] }

    /// Stores the quantities of the devices if they have changed.
    mutating func save(_ now: [Address: [AdvertisedQuantity]]) {
        let now = now.filter { !$0.value.isEmpty }
        guard now != quantities || file.isFailing else { return }
        quantities = now
        let members = now.sorted { $0.key.value < $1.key.value }.map { address, quantities in
            ("\(address)", JSON.array(quantities.map(\.json)))
        }
        file.store(.object(JSON.Object(members)), orLog: "the advertised quantities are not stored")
    }
}

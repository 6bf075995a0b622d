internal import Bluetooth
internal import EventLoop
internal import JSON
internal import Log

/// What the devices' advertisements have been found to tell, in the state folder: `quantities.json`.
///
/// Home Assistant is told of them before the first packets come: what is removed loses what a person has set for it.
struct QuantitiesStore {
    private var file: StateFile
    private let log = Log("state")
    private var quantities: [Address: [AdvertisedQuantity]] = [:]

    /// Takes up what an earlier run left.
    init(in folder: String) {
        file = StateFile("quantities.json", of: "what advertisements tell", in: folder, isForced: true)
        for member in file.read()?.object ?? [:] {
            guard let address = Address(member.name) else { continue }
            quantities[address] = (member.value.array ?? []).compactMap { AdvertisedQuantity($0) }
        }
    }

    subscript(address: Address) -> [AdvertisedQuantity] { quantities[address] ?? [] }

    /// Writes down what is known of the devices that there are, if that is new.
    mutating func save(_ now: [Address: [AdvertisedQuantity]]) {
        let now = now.filter { !$0.value.isEmpty }
        guard now != quantities else { return }
        quantities = now
        let members = now.sorted { $0.key.value < $1.key.value }.map { address, quantities in
            ("\(address)", JSON.array(quantities.map(\.json)))
        }
        do throws(EventLoopError) {
            try file.replace(with: .object(JSON.Object(members)))
        } catch {
            log.warning("\(error): what advertisements tell is not remembered")
        }
    }
}

internal import BlueZ
internal import Bluetooth
internal import EventLoop
internal import JSON
internal import Log

/// The known peripherals in the state folder: `peripherals.json`.
struct KnownPeripheralStore {
    private var file: StateFile
    private let log = Log("state")
    /// What is in the file, so far as is known.
    private var written: [KnownPeripheral] = []
    /// Whether the last attempt failed: the first of several is told.
    private var isFailing = false

    init(in folder: String) {
        file = StateFile("peripherals.json", of: "the known peripherals", in: folder)
    }

    /// What an earlier run wrote; nothing where there is no such file or it is damaged.
    mutating func load() -> [KnownPeripheral] {
        written = (file.read()?["peripherals"]?.array ?? []).compactMap { KnownPeripheral($0) }
        return written
    }

    /// Writes down what is known now, if it says something new.
    ///
    /// Where peripherals are heard all the time, that alone is no news: a memory card has only so many writes in it.
    mutating func save(_ known: [KnownPeripheral]) {
        guard isNews(known) else { return }
        do throws(EventLoopError) {
            try file.replace(with: ["peripherals": .array(known.map(\.json))])
            written = known
            isFailing = false
        } catch {
            if !isFailing { log.warning("\(error): known peripherals are not kept") }
            isFailing = true
        }
    }

    /// How much later a peripheral must have been heard for that to be news.
    private static let staleness: Int64 = 3_600_000

    private func isNews(_ known: [KnownPeripheral]) -> Bool {
        guard known.count == written.count else { return true }
        return zip(known, written).contains { new, old in
            let isSame =
                new.address == old.address && new.adapter == old.adapter && new.name == old.name
                && new.isConnected == old.isConnected && new.identity == old.identity
            let age = (new.lastHeard?.milliseconds ?? 0) - (old.lastHeard?.milliseconds ?? 0)
            return !isSame || age.magnitude > Self.staleness
        }
    }
}

extension KnownPeripheral {
    fileprivate init?(_ json: JSON) {
        guard let address = json["address"]?.string.flatMap({ Address($0) }) else { return nil }
        self.init(
            address: address, identity: json["identity"]?.string.flatMap { Address($0) },
            adapter: json["adapter"]?.string.flatMap { Address($0) }, name: json["name"]?.string,
            lastHeard: json["last_heard"]?.int.flatMap { $0 < 0 ? nil : Timestamp(milliseconds: Int64($0)) },
            isConnected: json["connected"]?.bool ?? false)
    }

    /// Times in milliseconds since 1970.
    fileprivate var json: JSON {
        var members: [(String, JSON)] = [("address", .string("\(address)"))]
        if let identity { members.append(("identity", .string("\(identity)"))) }
        if let adapter { members.append(("adapter", .string("\(adapter)"))) }
        if let name { members.append(("name", .string(name))) }
        if let lastHeard { members.append(("last_heard", .number(JSON.Number(Int(lastHeard.milliseconds))))) }
        members.append(("connected", .bool(isConnected)))
        return .object(JSON.Object(members))
    }
}

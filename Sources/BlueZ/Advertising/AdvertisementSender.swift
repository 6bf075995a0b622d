import Bluetooth
import DBus
import EventLoop
import System

/// Sends advertisements through bluetoothd: the objects `org.bluez.LEAdvertisement1`, and their registrations.
///
/// The advertisements are desired state: they are registered again after a restart of bluetoothd, and when an adapter is
/// switched on or returns.
///
/// Source: BlueZ, doc/org.bluez.LEAdvertisement.rst and src/advertising.c.
final class AdvertisementSender: LoopPart {
    private struct Entry {
        let path: String
        var advertisement: OutgoingAdvertisement
        /// The path of the adapter where the advertisement is registered; nil: it is not registered.
        var adapter: String?
        var state: AdvertisingState?
    }

    private static let root = "/io/bluefleet/advertisement/"
    /// How long to wait after a failure before the next attempt.
    private static let retryDelay = Duration.seconds(60)

    let loop: EventLoop
    private let bluetoothd: Bluetoothd
    private let lock = AsyncLock()
    private var entries: [String: Entry] = [:]
    private var lastNumber = 0
    /// bluetoothd's unique name on the bus; calls of other programs are rejected.
    private var owner: String?
    private var retry: Timer?
    /// The paths of adapters that already send as many advertisements as they support.
    private var fullAdapters: Set<String> = []
    private var isClosed = false
    private var report: (_ name: String, AdvertisingState) -> Void = { _, _ in }

    init(_ bluetoothd: Bluetoothd, loop: EventLoop) {
        self.bluetoothd = bluetoothd
        self.loop = loop
    }

    /// Calls `handler` with each change of the state of an advertisement.
    func onChange(_ handler: @escaping (_ name: String, AdvertisingState) -> Void) {
        report = handler
    }

    // MARK: Desired state

    /// Sends an advertisement in place of an earlier one with this name; nil: no longer sends it.
    func send(_ advertisement: OutgoingAdvertisement?, as name: String) {
        guard let advertisement else {
            guard let entry = entries.removeValue(forKey: name) else { return }
            if let adapter = entry.adapter { spawn { await $0.unregister(entry.path, at: adapter) } }
            return
        }
        guard var entry = entries[name] else {
            lastNumber += 1
            entries[name] = Entry(path: "\(Self.root)\(lastNumber)", advertisement: advertisement)
            return settleSoon()
        }
        guard entry.advertisement != advertisement else { return }
        let needsRegistration = advertisement.needsRegistration(after: entry.advertisement)
        entry.advertisement = advertisement
        let adapter = entry.adapter
        if needsRegistration { entry.adapter = nil }
        entries[name] = entry
        guard let adapter else { return }
        if needsRegistration {
            spawn { sender in
                await sender.unregister(entry.path, at: adapter)
                await sender.settle()
            }
        } else {
            emitServiceData(of: entry)
        }
    }

    /// Ends all advertisements: bluetoothd also ends them when this client leaves the bus.
    func close() async {
        isClosed = true
        retry?.cancel()
        let registered = entries.values.compactMap { entry in entry.adapter.map { (entry.path, $0) } }
        entries = [:]
        for (path, adapter) in registered { await unregister(path, at: adapter) }
    }

    // MARK: Changes of bluetoothd

    /// Notes that bluetoothd is gone, and with it all registrations.
    func vanished() {
        owner = nil
        fullAdapters = []
        for name in entries.keys {
            entries[name]?.adapter = nil
            setState(.waiting("bluetoothd is not available"), of: name)
        }
    }

    /// Notes the changed properties of the interface `LEAdvertisingManager1` of an adapter.
    func managerChanged(_ changed: [String: Variant], at path: String) {
        guard let room = changed["SupportedInstances"]?.integer, room > 0, fullAdapters.remove(path) != nil else {
            return
        }
        settleSoon()
    }

    /// Notes that an adapter is gone, or was switched off; it may have dropped the registrations.
    func adapterLost(_ path: String) {
        for (name, entry) in entries where entry.adapter == path { entries[name]?.adapter = nil }
    }

    func settleSoon() {
        guard !entries.isEmpty, !isClosed else { return }
        spawn { await $0.settle() }
    }

    /// Registers all advertisements that are not registered.
    private func settle() async {
        await lock.lock()
        defer { lock.unlock() }
        guard let connection = bluetoothd.connection, bluetoothd.isPresent, !isClosed else { return }
        do throws(DBusError) {
            owner = try await connection.owner(of: BlueZName.service)
        } catch {
            // bluetoothd is gone; the advertisements are registered when it returns.
            return
        }
        var hasFailed = false
        for name in entries.keys.sorted() {
            guard let entry = entries[name], entry.adapter == nil else { continue }
            guard let adapter = adapter(for: entry.advertisement) else {
                setState(.waiting(missingAdapter(entry.advertisement)), of: name)
                continue
            }
            if await !register(name, entry.path, at: adapter) { hasFailed = true }
        }
        retry?.cancel()
        if hasFailed { retry = after(Self.retryDelay) { $0.settleSoon() } }
    }

    private func adapter(for advertisement: OutgoingAdvertisement) -> Adapter? {
        let adapters = bluetoothd.sortedAdapters.filter(\.isPowered)
        guard let wanted = advertisement.adapter else { return adapters.first }
        return adapters.first { $0.address == wanted }
    }

    private func missingAdapter(_ advertisement: OutgoingAdvertisement) -> String {
        guard let wanted = advertisement.adapter else { return "no adapter is on" }
        let adapter = bluetoothd.sortedAdapters.first { $0.address == wanted }
        return adapter.map { "\($0.name) is \($0.obstacle ?? "off")" } ?? "there is no adapter \(wanted)"
    }

    // MARK: Registrations

    private static let bluetoothdLimit = Duration.seconds(10)

    /// Registers an advertisement; returns whether it is registered.
    private func register(_ name: String, _ path: String, at adapter: Adapter) async -> Bool {
        guard let manager = manager(at: adapter.path) else { return true }
        let arguments: [Variant] = [.objectPath(path), .properties([:])]
        do throws(DBusError) {
            do throws(DBusError) {
                try await manager.call("RegisterAdvertisement", arguments, timeout: Self.bluetoothdLimit)
            } catch {
                // bluetoothd kept the advertisement while the adapter was off.
                guard error.name == BlueZError.alreadyExists else { throw error }
                await unregister(path, at: adapter.path)
                try await manager.call("RegisterAdvertisement", arguments, timeout: Self.bluetoothdLimit)
            }
        } catch {
            if error.name == BlueZError.notPermitted { fullAdapters.insert(adapter.path) }
            setState(.failed(Self.reason(error, at: adapter)), of: name)
            return false
        }
        // The advertisement may have been removed during the call.
        guard entries[name]?.path == path else {
            await unregister(path, at: adapter.path)
            return true
        }
        entries[name]?.adapter = adapter.path
        setState(.sending(adapter.name), of: name)
        // bluetoothd may have read the data before its last change.
        if let entry = entries[name] { emitServiceData(of: entry) }
        return true
    }

    private func unregister(_ path: String, at adapter: String) async {
        // An error means that bluetoothd does not have the advertisement any more.
        _ = try? await manager(at: adapter)?.call(
            "UnregisterAdvertisement", [.objectPath(path)], timeout: .seconds(2))
    }

    private func manager(at adapter: String) -> RemoteObject? {
        bluetoothd.connection.map {
            RemoteObject(connection: $0, path: adapter, interface: BlueZName.advertisingManager)
        }
    }

    /// Returns why bluetoothd has refused an advertisement, in words.
    ///
    /// bluetoothd reports `Failed` for data that is too long, and for each error of the kernel (src/advertising.c,
    /// `parse_advertisement`, `add_client_complete`); `InvalidLength` is only in its documentation.
    private static func reason(_ error: DBusError, at adapter: Adapter) -> String {
        switch error.name {
        case BlueZError.notPermitted:
            "\(adapter.name) already sends as many advertisements as it supports: remove an advertiser, also of other "
                + "programs (btmgmt advinfo)"
        case BlueZError.invalidLength: "the advertisement is longer than \(adapter.name) supports: remove a value"
        case BlueZError.notSupported, DBusError.unknownMethod, DBusError.unknownObject:
            "\(adapter.name) cannot send advertisements: choose another adapter"
        case BlueZError.failed:
            "bluetoothd cannot send the advertisement through \(adapter.name): remove a value, or see why: journalctl -u "
                + "bluetooth (\(error))"
        default: "\(adapter.name): bluetoothd refuses the advertisement: \(error)"
        }
    }

    private func setState(_ state: AdvertisingState, of name: String) {
        guard let entry = entries[name], entry.state != state else { return }
        entries[name]?.state = state
        report(name, state)
    }

    // MARK: The objects

    private static let interface = "org.bluez.LEAdvertisement1"

    /// Handles a call of bluetoothd; returns whether it is addressed to an advertisement.
    func handle(_ call: Message) -> Bool {
        guard call.path.hasPrefix(Self.root), let connection = bluetoothd.connection else { return false }
        guard call.sender == owner, let (name, entry) = entries.first(where: { $0.value.path == call.path }) else {
            return false
        }
        let results: [Variant]
        switch (call.interface, call.member) {
        case (BlueZName.properties, "GetAll"): results = [.properties(Self.properties(of: entry.advertisement))]
        case (Self.interface, "Release"):
            entries[name]?.adapter = nil
            results = []
            // The adapter may be about to disappear.
            after(.seconds(1)) { $0.settleSoon() }
        default: return false
        }
        guard call.expectsReply, let reply = try? Message(replyingTo: call, results) else { return true }
        connection.assumeIsolated { $0.send(reply) }
        return true
    }

    /// The properties of the object.
    ///
    /// Type `broadcast` would be sent from an address that changes: receivers identify a sensor by its address.
    private static func properties(of advertisement: OutgoingAdvertisement) -> [String: Variant] {
        let interval = UInt32(clamping: advertisement.interval.nanoseconds / 1_000_000)
        var properties: [String: Variant] = [
            "Type": .string("peripheral"), "Discoverable": .boolean(true),
            "ServiceData": serviceData(of: advertisement),
            "MinInterval": .uint32(interval), "MaxInterval": .uint32(interval),
        ]
        properties["LocalName"] = advertisement.localName.map { .string($0) }
        return properties
    }

    private static func serviceData(of advertisement: OutgoingAdvertisement) -> Variant {
        .properties(Dictionary(uniqueKeysWithValues: advertisement.serviceData.map { ("\($0.key)", .bytes($0.value)) }))
    }

    private func emitServiceData(of entry: Entry) {
        guard let connection = bluetoothd.connection,
            let signal = try? Message(
                signal: "PropertiesChanged", on: BlueZName.properties, at: entry.path,
                [
                    .string(Self.interface), .properties(["ServiceData": Self.serviceData(of: entry.advertisement)]),
                    .strings([]),
                ])
        else { return }
        connection.assumeIsolated { $0.send(signal) }
    }
}

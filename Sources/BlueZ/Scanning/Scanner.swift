import Bluetooth
import DBus
import EventLoop
import System

/// Manages the scans: one scan per adapter, which serves all searches and observers, and stops when there are none.
final class Scanner: LoopPart {
    /// How an adapter scans.
    private enum Style: Equatable {
        /// bluetoothd reports only new content and changes of the signal strength, which needs fewer D-Bus messages.
        case changes
        /// bluetoothd reports each advertisement.
        case eachPacket
    }

    let observers = ScanObservers()
    let watches: ScanWatches
    private let bluetoothd: Bluetoothd
    let loop: EventLoop

    /// The peripherals for which the adapters scan.
    private var wanted: Set<Address> = []
    /// The number of searches for one peripheral that are under way.
    private var searchCount = 0
    /// The peripherals that are being connected and that bluetoothd deletes while there is no scan.
    private var held: Set<Address> = []
    /// The scans that are on, by the adapter's path.
    private var scans: [String: Style] = [:]
    /// The paths of the adapters whose scan pauses while a peripheral is being connected, by the peripheral's address.
    private var pauses: [Address: String] = [:]
    /// Serializes StartDiscovery and StopDiscovery: bluetoothd rejects overlapping calls with `InProgress`.
    private let lock = AsyncLock()
    /// The timer after which the start of a scan is tried again.
    private var retry: Timer?

    /// - Parameters:
    ///   - bluetoothd: The state and the objects of bluetoothd.
    ///   - silence: The time without an advertisement after which a scan counts as dead.
    ///   - loop: The event loop of the timers.
    init(_ bluetoothd: Bluetoothd, silence: Duration, loop: EventLoop) {
        self.bluetoothd = bluetoothd
        self.loop = loop
        watches = ScanWatches(silence: silence, loop: loop)
    }

    // MARK: Demand

    /// Whether the adapters scan for at least one peripheral.
    var isSearching: Bool { !wanted.isEmpty || searchCount > 0 }

    func start(for peripheral: Address) {
        wanted.insert(peripheral)
        adjustSoon()
    }

    func stop(for peripheral: Address) {
        guard wanted.remove(peripheral) != nil else { return }
        adjustSoon()
    }

    func beginSearch() {
        searchCount += 1
        adjustSoon()
    }

    func endSearch() {
        searchCount -= 1
        adjustSoon()
    }

    /// Sets whether the scan must continue while a peripheral is being connected.
    ///
    /// The scans are not adjusted at once.
    func hold(_ isHeld: Bool, for peripheral: Address) {
        if isHeld { held.insert(peripheral) } else { held.remove(peripheral) }
    }

    /// Ends the hold for a peripheral.
    func release(_ peripheral: Address) {
        if held.remove(peripheral) != nil { adjustSoon() }
    }

    /// Removes all observers and the peripherals to scan for; `adjust` then stops the scans.
    func close() {
        wanted = []
        observers.removeAll()
    }

    // MARK: Adjusting

    func adjustSoon() {
        spawn { await $0.adjust() }
    }

    /// Returns how an adapter should scan; nil: the adapter should not scan.
    private func wantedStyle(of adapter: Adapter) -> Style? {
        guard adapter.isPowered, adapter.isCentral, !pauses.values.contains(adapter.path) else { return nil }
        if observers.needEachPacket { return .eachPacket }
        return isSearching || !observers.isEmpty || !held.isEmpty ? .changes : nil
    }

    private func needsAdjusting(_ adapter: Adapter) -> Bool {
        // An adapter that is off does not scan.
        adapter.isPowered && scans[adapter.path] != wantedStyle(of: adapter)
    }

    /// Starts, changes or stops scans until every adapter scans as `wantedStyle` specifies, or has failed to.
    func adjust() async {
        // The task that has the lock checks the adapters again afterwards.
        guard !lock.isLocked else { return }
        await lock.lock()
        defer { lock.unlock() }
        var failing: Set<String> = []
        while let connection = bluetoothd.connection,
            let adapter = bluetoothd.adapters.values.first(where: {
                needsAdjusting($0) && !failing.contains($0.path)
            })
        {
            let style = wantedStyle(of: adapter)
            let object = RemoteObject(connection: connection, path: adapter.path, interface: BlueZName.adapter)
            do throws(DBusError) {
                try await adjust(object, to: style)
            } catch {
                // If a stop fails, there is nothing to stop; a start is tried again.
                if style != nil { failing.insert(adapter.path) }
            }
        }
        retry?.cancel()
        retry = nil
        if failing.isEmpty { return }
        retry = loop.schedule(after: .seconds(1)) { [weak self] in self?.adjustSoon() }
    }

    private func adjust(_ adapter: RemoteObject, to style: Style?) async throws(DBusError) {
        let path = adapter.path
        guard let style else {
            ended(on: path)
            try await adapter.call("StopDiscovery")
            return
        }
        let previous = scans[path]
        // Set before the call, because the scan may have ended again when the reply is handled.
        scans[path] = style
        do {
            if previous == nil {
                watches.start(on: path)
                try await startDiscovery(on: adapter, style)
            } else {
                try await setFilter(style, on: adapter)
            }
        } catch {
            if previous == nil { ended(on: path) } else if scans[path] != nil { scans[path] = previous }
            throw error
        }
    }

    /// Notes that an adapter no longer scans.
    func ended(on adapter: String) {
        scans[adapter] = nil
        watches.stop(on: adapter)
    }

    /// Notes that no adapter scans any more.
    func allEnded() {
        for adapter in scans.keys { ended(on: adapter) }
    }

    func isScanning(on adapter: String) -> Bool {
        scans[adapter] != nil
    }

    // MARK: Repairs

    /// Calls `body` for an adapter that is on, while no other task starts or stops a scan.
    ///
    /// If `body` fails, the scan counts as ended and is started again.
    func exclusively(
        on path: String, _ body: (_ adapter: RemoteObject) async throws(DBusError) -> Void
    ) async {
        await lock.lock()
        defer {
            lock.unlock()
            adjustSoon()
        }
        guard let object = bluetoothd.adapterObject(at: path), bluetoothd.adapters[path]?.isPowered == true else {
            return
        }
        do throws(DBusError) {
            try await body(object)
        } catch {
            ended(on: path)
        }
    }

    /// Stops and starts the scan of an adapter; must be called within `exclusively`.
    func restart(on adapter: RemoteObject) async throws(DBusError) {
        try await adapter.call("StopDiscovery")
        try await startDiscovery(on: adapter, scans[adapter.path] ?? .changes)
    }

    // MARK: Calls

    private func setFilter(_ style: Style, on adapter: RemoteObject) async throws(DBusError) {
        // On an adapter that supports only LE, a filter with only the transport counts as no filter, and devices that
        // are not discoverable stay hidden (BlueZ 5.82, src/adapter.c, merge_discovery_filters). A minimum of -127 dBm
        // admits every device and makes the filter valid. Later versions report each strength only to clients with such
        // a filter.
        var filter: [String: Variant] = ["Transport": .string("le"), "RSSI": .int16(-127)]
        // 32-bit versions before 5.71 cannot read a boolean that is false.
        if style == .eachPacket { filter["DuplicateData"] = .boolean(true) }
        try await adapter.call("SetDiscoveryFilter", [.properties(filter)])
    }

    private func startDiscovery(on adapter: RemoteObject, _ style: Style) async throws(DBusError) {
        try await setFilter(style, on: adapter)
        do {
            try await adapter.call("StartDiscovery")
        } catch {
            // The error also occurs if an earlier discovery session of this process is still active.
            guard error.name == BlueZError.inProgress else { throw error }
            do throws(DBusError) {
                try await adapter.call("StopDiscovery")
            } catch {
                // This process had no discovery session.
            }
            try await adapter.call("StartDiscovery")
        }
    }

    // MARK: Pauses

    /// The longest pause: a peripheral that does not respond must not prevent other devices from being seen.
    private static let longestPause = Duration.seconds(4)

    /// Pauses the scan while a peripheral is being connected.
    ///
    /// The kernel itself stops scanning while it makes a connection, and then continues at once. Some controllers then
    /// lose the new connection, for example in a Raspberry Pi 5 (bluez issue 569). After a failed connect, the scan
    /// therefore pauses until the services are resolved.
    func pause(for peripheral: Peripheral) async {
        // Without a scan, bluetoothd deletes a device with a private address (src/adapter.c, discovery_cleanup).
        guard let adapter = await peripheral.adapterPath, scans[adapter] != nil, await !peripheral.hasPrivateAddress
        else { return }
        let address = peripheral.address
        pauses[address] = adapter
        loop.schedule(after: Self.longestPause) { [weak self] in self?.endPause(for: address) }
        await adjust()
    }

    /// Ends the pause after an attempt to connect: at once, or after the discovery of the services if there is a
    /// connection.
    func resume(after peripheral: Peripheral) {
        guard pauses[peripheral.address] != nil else { return }
        spawn { scanner in
            if await peripheral.isConnected {
                _ = await peripheral.wait(for: Self.longestPause) { $0.areServicesResolved || !$0.isConnected }
            }
            scanner.endPause(for: peripheral.address)
        }
    }

    private func endPause(for peripheral: Address) {
        guard pauses.removeValue(forKey: peripheral) != nil else { return }
        adjustSoon()
    }
}

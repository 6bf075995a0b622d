package import Bluetooth
import EventLoop
import System

/// Scanning for peripherals and observing advertisements.
extension Central {
    /// Scans for a peripheral until `stopScanning(for:)`.
    package func startScanning(for peripheral: Peripheral) {
        scanner.start(for: peripheral.address)
    }

    package func stopScanning(for peripheral: Peripheral) {
        scanner.stop(for: peripheral.address)
    }

    /// Scans until a peripheral has been seen and can be connected.
    ///
    /// A connected peripheral is found at once: it may have stopped advertising.
    ///
    /// - Throws: `CentralError`: `notFound` if the peripheral was not seen within `limit`; `unavailable` if Bluetooth
    ///   cannot be used.
    package func find(_ peripheral: Peripheral, within limit: Duration) async throws(CentralError) {
        let object = peripheral.address.description
        guard state == .poweredOn else { throw CentralError(.unavailable, object, "find: \(reason)") }
        if await peripheral.isReachable(within: .seconds(30)) { return }
        scanner.beginSearch()
        defer { endSearchSoon(for: peripheral) }
        let start = loop.now
        guard await peripheral.wait(for: limit, until: { $0.isReachable(since: start) }) else {
            throw CentralError(
                .notFound, object,
                """
                not seen within \(limit.components.seconds) s: the device must be near, switched on and advertising; \
                most devices do not advertise while another device is connected to them
                """)
        }
    }

    /// Ends a search; after 1 s if the peripheral has a private address.
    ///
    /// Without a scan, bluetoothd deletes a device with a private address: the caller can begin to connect within the 1
    /// s.
    private func endSearchSoon(for peripheral: Peripheral) {
        guard peripheral.assumeIsolated({ $0.hasPrivateAddress && $0.path != nil }) else {
            return scanner.endSearch()
        }
        after(.seconds(1)) { $0.scanner.endSearch() }
    }

    /// Returns the work of the radio of an adapter.
    package func radioUse(of adapter: Adapter) -> RadioUse {
        RadioUse(
            advertisements: scanner.watches.signals(of: adapter.path),
            scanning: scanner.watches.scanTime(of: adapter.path),
            connecting: connector.slots[adapter.path]?.turns.time ?? .zero)
    }

    /// Scans, and calls `handler` on the loop with each advertisement that `filter` admits, until `stopObserving`.
    ///
    /// Devices that bluetoothd lists but has not received during the scan are not reported.
    ///
    /// - Parameters:
    ///   - filter: The advertisements to report.
    ///   - eachPacket: Whether to report advertisements without new content; a filter by signal strength always reports
    ///     them.
    ///   - handler: Called with each advertisement.
    /// - Returns: The identifier to pass to `stopObserving`.
    package func observe(
        _ filter: ScanFilter = ScanFilter(), eachPacket: Bool = true,
        _ handler: @escaping @Sendable (Sighting) -> Void
    ) -> ScanObservation {
        let observation = scanner.observers.add(filter, eachPacket: eachPacket, handler)
        // bluetoothd announces a device once; the devices that it has announced before must be retrieved.
        retrieveSoon()
        scanner.adjustSoon()
        return observation
    }

    package func stopObserving(_ observation: ScanObservation) {
        scanner.observers.remove(observation)
        scanner.adjustSoon()
    }
}

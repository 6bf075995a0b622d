package import Bluetooth
internal import DBus
internal import EventLoop

/// Other settings while everything runs.
extension Central {
    /// Uses these adapters, and so many links of each, from now on.
    ///
    /// Links through adapters that are no longer used are ended; all others stay.
    ///
    /// - Parameters:
    ///   - addresses: the adapters to use; nil: every one.
    ///   - connections: how many links each of them may hold; nil: as many as it turns out to.
    package func use(_ addresses: [Address]?, connections: Int?) async {
        capacity = connections
        for links in links.values where links.configuredCapacity != connections {
            links.configuredCapacity = connections
        }
        guard addresses != allowedAdapters else { return }
        allowedAdapters = addresses
        for adapter in adapters.values where !isAllowed(adapter.address) { await leave(adapter) }
        // Those that may be used by now are among bluetoothd's objects.
        if isServicePresent { await serviceAppeared() }
    }

    private func leave(_ adapter: Adapter) async {
        guard let connection else { return }
        let paths = peripherals.values.compactMap { peripheral in
            let isPending = attempts[peripheral.address]?.isPending ?? false
            return peripheral.assumeIsolated {
                $0.adapterPath == adapter.path && ($0.isConnected || isPending) ? $0.path : nil
            }
        }
        let isScanning = scans[adapter.path] != nil
        giveUpAttempts(through: adapter.path)
        // Before anything is waited for, so that nobody begins anew here.
        adapterRemoved(at: adapter.path)
        for path in paths { await disconnect(path, connection) }
        if isScanning {
            do throws(DBusError) {
                try await callAdapter("StopDiscovery", adapter.path, [], connection)
            } catch {
                // There is nothing to stop.
            }
        }
        await leavePowered(adapter, connection)
    }
}

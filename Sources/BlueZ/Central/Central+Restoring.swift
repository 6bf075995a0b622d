package import Bluetooth
import DBus
import EventLoop
import System

/// The counterpart of Core Bluetooth's state preservation and restoration.
extension Central {
    /// The data about peripherals that the next run of the program needs, sorted by address.
    package var knownPeripherals: [KnownPeripheral] {
        let present = registry.all.map { peripheral in
            let path = peripheral.assumeIsolated { $0.adapterPath }
            let adapter = path.flatMap { bluetoothd.adapters[$0]?.address }
            return peripheral.assumeIsolated { $0.known(adapter: adapter) }
        }
        let abandoned = registry.abandoned.map {
            KnownPeripheral(address: $0, adapter: nil, name: nil, lastSeen: nil, isConnected: true)
        }
        return (present + abandoned).sorted { $0.address < $1.address }
    }

    /// Restores the stored data of an earlier run; must be called before `start`, or before `endConnections`.
    ///
    /// Connections of an earlier run that still exist are used if they are needed, and ended otherwise.
    ///
    /// - Parameters:
    ///   - known: The stored data about peripherals.
    ///   - peripherals: The peripherals that are still in use.
    ///   - links: The peripherals whose connections are still needed.
    package func restore(_ known: [KnownPeripheral], of peripherals: Set<Address>, links: Set<Address>) {
        for known in known {
            if peripherals.contains(known.address) {
                peripheral(at: known.address).assumeIsolated { $0.restore(known) }
                if let identity = known.identity { _ = registry.setIdentity(identity, of: known.address) }
            }
            if known.isConnected && !links.contains(known.address) {
                registry.abandon(known.identity ?? known.address)
            }
        }
    }

    /// Ends bluetoothd's connections to peripherals, whichever program has made them.
    ///
    /// All at once: bluetoothd takes 2 s for each, and one that does not end must not leave the others.
    ///
    /// - Parameter addresses: The addresses of the peripherals.
    /// - Returns: The addresses of the peripherals that were connected.
    /// - Throws: `CentralError` `timeout` if bluetoothd does not end a connection, after all others were tried.
    package func endConnections(to addresses: Set<Address>) async throws(CentralError) -> [Address] {
        let peripherals = addresses.map { peripheral(at: $0) }
        await retrieve()
        let connected = peripherals.filter(\.snapshot.isConnected)
        let failures = await withTaskGroup(of: CentralError?.self) { [loop] group in
            for peripheral in connected {
                group.addTask(executorPreference: loop.tasks) { await self.failure(toDisconnect: peripheral) }
            }
            var failures: [CentralError] = []
            for await case let failure? in group { failures.append(failure) }
            return failures
        }
        if let failure = failures.first { throw failure }
        return connected.map(\.address)
    }

    private func failure(toDisconnect peripheral: Peripheral) async -> CentralError? {
        do throws(CentralError) {
            try await cancelConnection(peripheral)
            return nil
        } catch {
            return error
        }
    }

    /// Ends the connection of a device if an earlier run has left the connection behind and it is no longer needed.
    func endIfAbandoned(_ address: Address, at path: String, _ properties: DeviceProperties) {
        guard properties.isConnected == true, registry.takeAbandoned(address),
            let device = bluetoothd.deviceObject(at: path)
        else { return }
        spawn { await device.disconnect(timeout: $0.bluetoothd.disconnectTimeout) }
    }
}

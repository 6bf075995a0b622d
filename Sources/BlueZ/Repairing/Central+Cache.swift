internal import Bluetooth
internal import DBus
internal import EventLoop

extension Central {
    /// Ends the link and makes bluetoothd forget the peripheral, and so what it remembers of its services; it must be
    /// sought again.
    ///
    /// bluetoothd keeps services from one link to the next, and those of peripherals that cannot say that they have
    /// changed go stale (after an update of their firmware, say). A bond would be forgotten too: with one, only the link
    /// is ended.
    ///
    /// - Throws: `CentralError` `timeout` when bluetoothd does not get the link down.
    package func clearCache(of peripheral: Peripheral) async throws(CentralError) {
        try await cancelConnection(peripheral)
        guard await !peripheral.isBonded else { return }
        guard let path = await peripheral.path, let route = await peripheral.routes[path] else { return }
        try await remove(peripheral, by: route, doing: "clear the cache")
    }

    /// Makes bluetoothd forget what it knows of a peripheral by one of its adapters.
    func remove(_ peripheral: Peripheral, by route: Routes.Route, doing what: String) async throws(CentralError) {
        guard let connection else { return }
        do throws(DBusError) {
            try await removeDevice(at: route.path, of: route.adapter, connection)
        } catch {
            // One that bluetoothd does not know any more is as good as removed.
            guard error.name != "org.bluez.Error.DoesNotExist" else { return }
            throw CentralError(error, peripheral.address.description, doing: what)
        }
    }
}

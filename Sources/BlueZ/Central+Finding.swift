internal import Bluetooth
internal import EventLoop

extension Central {
    /// Scans until a peripheral is heard; one whose link is up is there already.
    ///
    /// - Returns: whether it was heard in time.
    /// - Throws: `CentralError` `unavailable` where there is no scanning.
    package func find(_ peripheral: Peripheral, within limit: Duration) async throws(CentralError) -> Bool {
        guard state == .poweredOn else {
            throw CentralError(.unavailable, peripheral.address.description, "find: \(reason)")
        }
        let start = loop.now
        seek(peripheral)
        defer { stopSeeking(peripheral) }
        return await peripheral.wait(for: limit) { peripheral in
            guard peripheral.path != nil else { return false }
            return peripheral.isConnected || peripheral.lastHeard.map { $0 >= start } ?? false
        }
    }

    /// Forgets a peripheral that nobody cares for any more; its link, if it has one, stays as it is.
    package func release(_ peripheral: Peripheral) {
        guard peripherals.removeValue(forKey: peripheral.address) != nil else { return }
        sought.remove(peripheral.address)
        peripheralsByPath = peripheralsByPath.filter { $0.value !== peripheral }
        releaseSlot(of: peripheral.address)
    }
}

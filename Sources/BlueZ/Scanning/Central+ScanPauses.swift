internal import Bluetooth
internal import EventLoop

/// Rests of the scan for the sake of a connect.
///
/// The kernel itself stops scanning while it makes a link, and goes on at once. There are controllers that lose the fresh
/// link to that (bluez issue 569, a Raspberry Pi 5's among them): after a connect that failed, the scan rests until the
/// services are resolved.
extension Central {
    /// A peripheral that hangs must not keep the others from being heard.
    private static let longestPause = Duration.seconds(4)

    func pauseScan(for peripheral: Peripheral) async {
        // Without a scan bluetoothd forgets a device whose address is about to change (src/adapter.c, discovery_cleanup).
        guard let adapter = await peripheral.adapterPath, scans[adapter] != nil, await !peripheral.isFleeting else {
            return
        }
        let address = peripheral.address
        scanPauses[address] = adapter
        loop.schedule(after: Self.longestPause) { [weak self] in
            self?.assumeIsolated { $0.endPause(for: address) }
        }
        await adjustScan()
    }

    /// The connect is over; if there is a link now, the pause ends with its discovery.
    func resumeScan(after peripheral: Peripheral) {
        guard scanPauses[peripheral.address] != nil else { return }
        Task(executorPreference: loop.tasks) {
            if await peripheral.isConnected {
                _ = await peripheral.wait(for: Self.longestPause) { $0.areServicesResolved || !$0.isConnected }
            }
            await self.endPause(for: peripheral.address)
        }
    }

    private func endPause(for address: Address) {
        guard scanPauses.removeValue(forKey: address) != nil else { return }
        scanSoon()
    }
}

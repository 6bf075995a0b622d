package import Bluetooth
internal import EventLoop

/// Peripherals that somebody needs just once.
extension Central {
    /// Scans until a peripheral can be connected to.
    ///
    /// - Throws: `CentralError` `notFound` when it is not heard in time.
    package func find(_ peripheral: Peripheral, within limit: Duration) async throws(CentralError) {
        if await peripheral.isReachable(within: .seconds(30)) { return }
        seek(peripheral)
        defer { stopSeeking(peripheral) }
        let start = loop.now
        let isFound = await peripheral.wait(for: limit) { peripheral in
            peripheral.isConnected || peripheral.path != nil && peripheral.lastHeard.map { $0 >= start } ?? false
        }
        guard isFound else {
            let object = peripheral.address.description
            throw CentralError(.notFound, object, "it has not been heard: bring it into range, and switch it on")
        }
    }

    /// Lets go of a peripheral that nobody cares for any more; its link must be down.
    package func forget(_ address: Address) {
        guard let peripheral = peripherals[address] else { return }
        stopSeeking(peripheral)
        peripherals[address] = nil
        peripheralsByPath = peripheralsByPath.filter { $0.value !== peripheral }
    }
}

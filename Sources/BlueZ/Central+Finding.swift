internal import Bluetooth
internal import EventLoop

extension Central {
    /// Scans until a peripheral has been heard, and can be connected to.
    ///
    /// One whose link is up is found at once: it may well have stopped advertising.
    ///
    /// - Throws: `CentralError`: `notFound` when it was not heard within `limit`, `unavailable`.
    package func find(_ peripheral: Peripheral, within limit: Duration) async throws(CentralError) {
        let object = peripheral.address.description
        guard state == .poweredOn else { throw CentralError(.unavailable, object, "look for it: \(reason)") }
        seek(peripheral)
        let start = loop.now
        let isFound = await peripheral.wait(for: limit) { $0.isReachable(since: start) }
        stopSeeking(peripheral)
        guard isFound else {
            throw CentralError(
                .notFound, object,
                "not heard within \(limit.components.seconds) s: it must be near and switched on, and advertise; while another device is connected to it, "
                    + "most do not")
        }
    }
}

extension Peripheral {
    fileprivate func isReachable(since start: Instant) -> Bool {
        path != nil && (isConnected || lastHeard.map { $0 >= start } ?? false)
    }
}

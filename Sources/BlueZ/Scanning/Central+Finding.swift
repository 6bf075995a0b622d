package import Bluetooth
internal import EventLoop

/// Peripherals that somebody needs just once.
extension Central {
    /// Scans until a peripheral has been heard, and can be connected to.
    ///
    /// One whose link is up is found at once: it may well have stopped advertising.
    ///
    /// - Throws: `CentralError`: `notFound` when it was not heard within `limit`, `unavailable`.
    package func find(_ peripheral: Peripheral, within limit: Duration) async throws(CentralError) {
        let object = peripheral.address.description
        guard state == .poweredOn else { throw CentralError(.unavailable, object, "look for it: \(reason)") }
        if await peripheral.isReachable(within: .seconds(30)) { return }
        seek(peripheral)
        defer { stopSeeking(peripheral) }
        let start = loop.now
        guard await peripheral.wait(for: limit, until: { $0.isReachable(since: start) }) else {
            throw CentralError(
                .notFound, object,
                """
                not heard within \(limit.components.seconds) s: it must be near and switched on, and advertise; while \
                another device is connected to it, most do not
                """)
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

extension Peripheral {
    fileprivate func isReachable(since start: Instant) -> Bool {
        path != nil && (isConnected || lastHeard.map { $0 >= start } ?? false)
    }
}

import BlueZ
import Contract
import EventLoop
import System

extension GatewayInfo {
    /// The version and the start of the gateway, from which the payload of its topic `info` is made.
    struct Source: Sendable {
        let version: String
        private let start: Instant

        init(version: String, start: Instant) {
            self.version = version
            self.start = start
        }

        /// Returns the payload.
        ///
        /// - Parameters:
        ///   - bluetooth: the adapters, and the state of Bluetooth.
        ///   - deviceCount: the number of devices.
        ///   - broker: the URL of the broker's node to which the gateway is connected.
        ///   - now: the present time of the loop.
        ///   - time: the present time of the calendar clock.
        /// - Returns: The payload.
        func payload(
            _ bluetooth: BluetoothLink, deviceCount: Int, broker: String, at now: Instant, _ time: Timestamp
        ) -> GatewayInfo {
            // The time is calculated from the present time: the wall clock may have been wrong at the start, because
            // some machines have no clock that runs while they are switched off.
            let started = Timestamp(milliseconds: time.milliseconds - (now - start).nanoseconds / 1_000_000)
            return GatewayInfo(
                version: version, bluez: bluetooth.adapters.lazy.compactMap(\.bluetoothdVersion).first,
                started: started, bluetooth: BluetoothState(bluetooth.state),
                reason: bluetooth.reason ?? "not started",
                adapters: bluetooth.adapters.map { adapter in
                    Adapter(
                        name: adapter.name, address: adapter.address, isPowered: adapter.isPowered,
                        reason: adapter.obstacle)
                }, deviceCount: deviceCount, broker: broker)
        }
    }
}

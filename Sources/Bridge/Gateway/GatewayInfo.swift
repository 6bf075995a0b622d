import BlueZ
import EventLoop
import JSON
import System

/// The payload of the gateway's topic `info`.
struct GatewayInfo: Sendable {
    let version: String
    private let start: Instant

    init(version: String, start: Instant) {
        self.version = version
        self.start = start
    }

    func json(_ bluetooth: BluetoothLink, deviceCount: Int, at now: Instant, _ time: Timestamp) -> JSON {
        let list = bluetooth.adapters.map { adapter -> JSON in
            var members: JSON.Object = [
                "name": .string(adapter.name), "address": .string("\(adapter.address)"),
                "powered": .bool(adapter.isPowered),
            ]
            if let obstacle = adapter.obstacle { members["reason"] = .string(obstacle) }
            return .object(members)
        }
        // The time is calculated from the present time: the wall clock may have been wrong at the start, because some
        // machines have no clock that runs while they are switched off.
        let started = Timestamp(milliseconds: time.milliseconds - (now - start).nanoseconds / 1_000_000)
        return [
            "version": .string(version), "started": .string(started.description),
            "bluetooth": .string(bluetooth.state.rawValue), "reason": .string(bluetooth.reason ?? "not started"),
            "adapters": .array(list), "devices": .number(JSON.Number(deviceCount)),
        ]
    }
}

package import JSON
package import System

/// The payload of `PREFIX/DEVICE/connection`.
package struct ConnectionStatus: Equatable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case disconnected, waiting, connecting, discovering, connected, disconnecting
    }

    /// The reason of a loss of the connection that the gateway has not caused.
    package static let linkLost = "the link was lost"
    /// The reason of a disconnection that a client requested.
    package static let onRequest = "on request"
    /// The reason of `waiting` while the adapter connects other devices, one at a time.
    package static let waitingForTurn = "other devices are being connected first"

    package var state: State
    package var reason: String?
    /// The end of a requested pause; nil if the device is not paused.
    package var until: Timestamp?
    /// The number of consecutive failed attempts; nil if the last attempt did not fail.
    package var attempts: Int?
    /// The name of the adapter, such as `hci0`.
    package var adapter: String?
    /// The signal strength of the last advertisement, in dBm.
    ///
    /// For a device with `connect: never`, the value is updated at most once a minute.
    package var rssi: Int?
    /// The ATT MTU of the connection, in bytes.
    package var mtu: Int?
    /// The gateway that owns a shared device; nil: the device is not shared.
    package var gateway: String?
    /// Why this gateway owns the shared device.
    package var why: String?

    package init(
        state: State, reason: String? = nil, until: Timestamp? = nil, attempts: Int? = nil, adapter: String? = nil,
        rssi: Int? = nil, mtu: Int? = nil, gateway: String? = nil, why: String? = nil
    ) {
        self.state = state
        self.reason = reason
        self.until = until
        self.attempts = attempts
        self.adapter = adapter
        self.rssi = rssi
        self.mtu = mtu
        self.gateway = gateway
        self.why = why
    }

    package func json(at time: Timestamp) -> JSON {
        var members: JSON.Object = ["state": .string(state.rawValue)]
        members.add("reason", reason)
        members.add("until", text: until)
        members.add("attempts", attempts)
        members.add("adapter", adapter)
        members.add("rssi", rssi)
        members.add("mtu", mtu)
        members.add("gateway", gateway)
        members.add("why", why)
        members["time"] = .text(time)
        return .object(members)
    }

    /// Creates the status from a payload; the member `time` is not part of it.
    ///
    /// - Returns: nil if the payload is not of this kind.
    package init?(_ json: JSON) {
        guard let state = json["state"]?.string.flatMap({ State(rawValue: $0) }) else { return nil }
        self.init(
            state: state, reason: json["reason"]?.string, until: json.time("until"), attempts: json["attempts"]?.int,
            adapter: json["adapter"]?.string, rssi: json["rssi"]?.int, mtu: json["mtu"]?.int,
            gateway: json["gateway"]?.string, why: json["why"]?.string)
    }
}

package import JSON
package import System

/// The payload of `PREFIX/DEVICE/connection`.
package struct ConnectionStatus: Equatable {
    package enum State: String {
        case disconnected, waiting, connecting, discovering, connected, disconnecting
    }

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

    package init(
        state: State, reason: String? = nil, until: Timestamp? = nil, attempts: Int? = nil, adapter: String? = nil,
        rssi: Int? = nil, mtu: Int? = nil
    ) {
        self.state = state
        self.reason = reason
        self.until = until
        self.attempts = attempts
        self.adapter = adapter
        self.rssi = rssi
        self.mtu = mtu
    }

    package func json(at time: Timestamp) -> JSON {
        var members: [(String, JSON)] = [("state", .string(state.rawValue))]
        if let reason { members.append(("reason", .string(reason))) }
        if let until { members.append(("until", .string(until.description))) }
        if let attempts { members.append(("attempts", .number(JSON.Number(attempts)))) }
        if let adapter { members.append(("adapter", .string(adapter))) }
        if let rssi { members.append(("rssi", .number(JSON.Number(rssi)))) }
        if let mtu { members.append(("mtu", .number(JSON.Number(mtu)))) }
        members.append(("time", .string(time.description)))
        return .object(JSON.Object(members))
    }
}

internal import EventLoop
internal import JSON

/// What `PREFIX/DEVICE/connection` says (contract, part 3).
struct ConnectionStatus: Equatable {
    enum State: String {
        case disconnected, waiting, connecting, discovering, connected, disconnecting
    }

    var state: State
    var reason: String?
    /// The end of a pause.
    var until: Timestamp?
    var attempts: Int?
    var adapter: String?
    /// In dBm, as heard last before the link came up.
    var rssi: Int?
    /// In bytes.
    var mtu: Int?

    func json(at time: Timestamp) -> JSON {
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

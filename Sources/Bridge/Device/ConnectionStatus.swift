import JSON
import System

/// The payload of `PREFIX/DEVICE/connection`.
struct ConnectionStatus: Equatable {
    enum State: String {
        case disconnected, waiting, connecting, discovering, connected, disconnecting
    }

    var state: State
    var reason: String?
    /// The end of a requested pause.
    var until: Timestamp?
    /// The number of failed attempts in a row.
    var attempts: Int?
    /// The name of the adapter, such as `hci0`.
    var adapter: String?
    /// In dBm, from the last advertisement.
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

/// The versions of bluetoothd that can be simulated: Debian 12 (5.66), Debian 13 (5.82) and a recent one (5.86).
package enum BluetoothdVersion: String, CaseIterable, Sendable {
    case bookworm = "5.66"
    case trixie = "5.82"
    case recent = "5.86"

    /// The version in an adapter's `Modalias`.
    var modaliasDevice: String {
        switch self {
        case .bookworm: "0542"
        case .trixie: "0552"
        case .recent: "0556"
        }
    }

    /// GATT objects have the property Handle (since 5.69).
    var showsHandles: Bool { self != .bookworm }

    /// A second Connect fails with `InProgress` (since 5.81); earlier with `Failed` and the same text.
    var namesConnectInProgress: Bool { self != .bookworm }

    /// A device whose first Connect was cancelled becomes temporary again.
    var forgetsCancelledConnects: Bool { self != .bookworm }

    /// A disconnection is one signal before the reply to Disconnect; earlier, `Connected` follows the reply.
    var endsLinksAtOnce: Bool { self != .bookworm }

    /// Adapters have more properties, and the interface BatteryProviderManager1.
    var showsAdapterDetails: Bool { self != .bookworm }

    /// `Battery1` has the property Source (since 5.71).
    var showsBatterySource: Bool { self != .bookworm }

    /// Services that bluetoothd uses itself are exported too, read-only (since 5.80).
    var showsClaimedServices: Bool { self != .bookworm }

    /// Adapters have `PowerState` (since 5.73), devices `AdvertisingFlags` (since 5.78).
    var showsStates: Bool { self != .bookworm }

    /// Dual-mode devices have the property PreferredBearer (since 5.80, experimental).
    var showsPreferredBearer: Bool { self != .bookworm }

    /// Devices signal the reason of a disconnection (since 5.83).
    var describesDisconnections: Bool { self == .recent }

    /// A discovery filter can have the key AutoConnect (since 5.83).
    var filtersForConnecting: Bool { self == .recent }

    /// Pair uses an existing connection, with the agent's capability at the time of the connection.
    var pairsOverLink: Bool { self != .bookworm }

    /// AcquireNotify works for characteristics with indications only (since 5.80).
    var acquiresIndications: Bool { self != .bookworm }
}

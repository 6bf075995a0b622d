/// The versions of bluetoothd that can be played: those of Debian 12 and 13, and a recent one.
package enum BluetoothdVersion: String, CaseIterable, Sendable {
    case bookworm = "5.66"
    case trixie = "5.82"
    case recent = "5.86"

    /// The number by which an adapter's `Modalias` tells it.
    var modaliasDevice: String {
        switch self {
        case .bookworm: "0542"
        case .trixie: "0552"
        case .recent: "0556"
        }
    }

    /// GATT objects tell their handle (since 5.69).
    var showsHandles: Bool { self != .bookworm }

    /// A second Connect is `InProgress` (since 5.81), and not `Failed` with the same words.
    var namesConnectInProgress: Bool { self != .bookworm }

    /// A device whose first Connect was cancelled is forgotten when it falls silent, as if it had only been heard.
    var forgetsCancelledConnects: Bool { self != .bookworm }

    /// The end of a link is one signal, before the answer to Disconnect; else `Connected` follows the answer.
    var endsLinksAtOnce: Bool { self != .bookworm }

    /// Adapters tell what they are in more detail, and offer to take batteries' levels from others.
    var showsAdapterDetails: Bool { self != .bookworm }

    /// `Battery1` tells its source (since 5.71).
    var showsBatterySource: Bool { self != .bookworm }

    /// Services that bluetoothd uses itself are there too, to be read only (since 5.80).
    var showsClaimedServices: Bool { self != .bookworm }

    /// The adapter tells its `PowerState` (since 5.73), devices their `AdvertisingFlags` (since 5.78).
    var showsStates: Bool { self != .bookworm }

    /// Devices that speak both kinds of Bluetooth tell which is preferred (since 5.80, experimental).
    var showsPreferredBearer: Bool { self != .bookworm }

    /// Devices tell why their link has gone (since 5.83).
    var describesDisconnections: Bool { self == .recent }

    /// A filter may ask to be connected with what it finds (since 5.83).
    var filtersForConnecting: Bool { self == .recent }

    /// Where there is a link, Pair asks over it, with what the agent could do when it was made.
    var pairsOverLink: Bool { self != .bookworm }

    /// What only indicates can be acquired too (since 5.80).
    var acquiresIndications: Bool { self != .bookworm }
}

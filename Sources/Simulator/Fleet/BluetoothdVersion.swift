/// A version of bluetoothd that can be simulated: of Debian 12 (5.66), of Debian 13 (5.82), 5.86, or of the next Debian,
/// forky (5.87).
package enum BluetoothdVersion: String, CaseIterable, Sendable {
    case bookworm = "5.66"
    case trixie = "5.82"
    case recent = "5.86"
    case forky = "5.87"

    /// Whether this version is later than that of Debian 13.
    private var isAfterTrixie: Bool { self == .recent || self == .forky }

    /// The version as four hexadecimal digits, which are part of an adapter's `Modalias`.
    var modaliasDevice: String {
        switch self {
        case .bookworm: "0542"
        case .trixie: "0552"
        case .recent: "0556"
        case .forky: "0557"
        }
    }

    /// Whether GATT objects have the property `Handle` (since 5.69).
    var showsHandles: Bool { self != .bookworm }

    /// Whether a second Connect fails with `InProgress` (since 5.81); earlier versions return `Failed`.
    var namesConnectInProgress: Bool { self != .bookworm }

    /// Whether a device whose first Connect was cancelled becomes temporary again.
    var forgetsCancelledConnects: Bool { self != .bookworm }

    /// Whether `Connected` is signalled before the reply to Disconnect; earlier versions signal it after the reply.
    var endsLinksAtOnce: Bool { self != .bookworm }

    /// Whether adapters have the interface `BatteryProviderManager1`, and properties such as `Manufacturer`.
    var showsAdapterDetails: Bool { self != .bookworm }

    /// Whether the end of a connection is two signals, `ServicesResolved` and then `Connected` (5.87).
    var endsServicesFirst: Bool { self == .forky }

    /// Whether `Battery1` has the property `Source` (since 5.71).
    var showsBatterySource: Bool { self != .bookworm }

    /// Whether the services that bluetoothd uses itself are exported too, read-only (since 5.80).
    var showsClaimedServices: Bool { self != .bookworm }

    /// Whether adapters have the property `PowerState` (since 5.73) and devices `AdvertisingFlags` (since 5.78).
    var showsStates: Bool { self != .bookworm }

    /// Whether dual-mode devices have the property `PreferredBearer` (since 5.80, experimental).
    var showsPreferredBearer: Bool { self != .bookworm }

    /// Whether devices signal the reason of a disconnection (since 5.83).
    var describesDisconnections: Bool { isAfterTrixie }

    /// Whether devices have the interface `Bearer.LE1` and the property `CablePairing` (5.87).
    var showsBearers: Bool { self == .forky }

    /// Whether adapters have the property `SupportedFeatures` of `Media1` (5.87).
    var showsMediaFeatures: Bool { self == .forky }

    /// Whether the manager has the interface `HealthManager1` (until 5.86).
    var hasHealthManager: Bool { self != .forky }

    /// Whether a discovery filter can have the key `AutoConnect` (since 5.83).
    var filtersForConnecting: Bool { isAfterTrixie }

    /// Whether Pair on an existing connection uses the capability that the default agent had when the connection was
    /// made.
    var pairsOverLink: Bool { self != .bookworm }

    /// Whether AcquireNotify is answered if the peripheral rejects the subscription (since 5.84, commit 476ae809a).
    var answersFailedAcquire: Bool { isAfterTrixie }

    /// Whether AcquireNotify accepts characteristics that have indications but no notifications (since 5.80).
    var acquiresIndications: Bool { self != .bookworm }
}

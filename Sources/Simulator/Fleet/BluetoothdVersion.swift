/// The versions of bluetoothd that can be played: those of Debian 12 and 13.
package enum BluetoothdVersion: String, CaseIterable, Sendable {
    case bookworm = "5.66"
    case trixie = "5.82"

    /// GATT objects tell their handle (since 5.69).
    var showsHandles: Bool { self == .trixie }

    /// A second Connect is `InProgress` (since 5.81), and not `Failed` with the same words.
    var namesConnectInProgress: Bool { self == .trixie }

    /// Services that bluetoothd uses itself are there too, to be read only (since 5.80).
    var showsClaimedServices: Bool { self == .trixie }

    /// The adapter tells its `PowerState` (since 5.73), devices their `AdvertisingFlags` (since 5.78).
    var showsStates: Bool { self == .trixie }
}

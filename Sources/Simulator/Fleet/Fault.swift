/// A fault of a peripheral, an adapter or bluetoothd; the raw value is the name in a fleet file.
///
/// Each fault is known from a real bluetoothd or from real peripherals.
package enum Fault: String, CaseIterable, Sendable {
    // Faults of a peripheral.
    /// Connect is never answered; while the peripheral advertises, no other peripheral can be connected.
    case connectHangs = "connect hangs"
    /// Connect succeeds without a connection.
    case connectWithoutLink = "connect without link"
    /// The connection ends immediately, and Connect fails with `le-connection-abort-by-local`.
    case connectAborts = "connect aborts"
    /// Connect fails with the error for another Connect in progress.
    case connectInProgress = "connect in progress"
    /// The device's object is removed during Connect.
    case vanishesWhileConnecting = "vanishes while connecting"
    /// The connection is lost before the services are resolved.
    case linkLostWhileResolving = "link lost while resolving"
    /// The connection is lost during each pairing.
    case linkLostWhilePairing = "link lost while pairing"
    /// The connection is lost before StartNotify is answered.
    case linkLostWhileSubscribing = "link lost while subscribing"
    /// The services are never resolved.
    case neverResolves = "never resolves"
    /// `ServicesResolved` is signalled before the services' objects; all but the first follow 20 ms later.
    case resolvedTooEarly = "resolved too early"
    /// `ServicesResolved` is signalled without any services.
    case resolvedWithoutServices = "resolved without services"
    /// bluetoothd does not notice that the services have changed since the last connection, and exports the old ones.
    case cacheStale = "cache stale"
    /// Connect fails because bluetoothd tries Bluetooth Classic, unless the property `PreferredBearer` is `le`.
    case classicFirst = "classic first"
    /// After Service Changed, the services are removed at once and added one by one; `ServicesResolved` is then false.
    case servicesChangeSlowly = "services change slowly"
    /// The battery service has no D-Bus object; only `Battery1` shows the battery level.
    case batteryHidden = "battery hidden"
    /// Disconnect is never answered, and the device stays connected.
    case disconnectHangs = "disconnect hangs"
    /// Reads and writes fail with `InProgress`.
    case operationInProgress = "operation in progress"
    /// Reads and writes are never answered; after 30 s bluetoothd ends the connection.
    case operationHangs = "operation hangs"
    /// The connection remains, but without the Attribute Protocol, as with Bluetooth Classic: operations fail as if
    /// there were no connection.
    case attributesLost = "attributes lost"
    /// StartNotify succeeds, but no notifications follow.
    case subscriptionLost = "subscription lost"
    /// The signal `Disconnected` with the reason comes before the one that the connection has ended (since 5.83).
    case reasonFirst = "reason first"
    /// Writes of more than one packet fail with `NotSupported`: the peripheral does not know the Prepare Write Request.
    case longWritesRefused = "long writes refused"
    /// Pair is never answered.
    case pairingHangs = "pairing hangs"
    /// AcquireNotify is never answered, and no other client can subscribe during this connection.
    case acquireHangs = "acquire hangs"

    // Faults of an adapter.
    /// StartDiscovery fails: discovery is in progress.
    case discoveryInProgress = "discovery in progress"
    /// StopDiscovery fails, because bluetoothd has ended the discovery before.
    case discoveryEnded = "discovery ended"
    /// The scan continues without receiving advertisements.
    case scanDies = "scan dies"
    /// Switching the adapter on or off fails.
    case powerBlocked = "power blocked"
    /// Switching the adapter on fails; it stays off.
    case powerOnFails = "power on fails"
    /// RegisterAdvertisement fails: the kernel refuses the advertisement.
    case advertisingFails = "advertising fails"
    /// The bus's policy rejects every call.
    case accessDenied = "access denied"

    /// The faults of an adapter; all others are faults of a peripheral.
    static let ofAdapters: [Fault] = [
        .discoveryInProgress, .discoveryEnded, .scanDies, .powerBlocked, .powerOnFails, .advertisingFails,
        .accessDenied,
    ]

    /// A fault and the number of times that it occurs.
    package struct Rule: Hashable, Sendable {
        package var fault: Fault
        /// The number of times; nil: the fault always occurs.
        package var times: Int?

        package init(_ fault: Fault, times: Int? = nil) {
            self.fault = fault
            self.times = times
        }
    }
}

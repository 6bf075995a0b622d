/// Something that goes wrong in the field, by the name that it has in a fleet's file.
///
/// Each is known of a real bluetoothd or of real peripherals.
package enum Fault: String, CaseIterable, Sendable {
    // Of a peripheral.
    /// Connect is never answered, and while the peripheral is heard, no other one can be connected.
    case connectHangs = "connect hangs"
    /// Connect succeeds and there is no link.
    case connectWithoutLink = "connect without link"
    /// The link flashes up, and Connect fails with `le-connection-abort-by-local`.
    case connectAborts = "connect aborts"
    /// Connect is refused: another one is in progress.
    case connectInProgress = "connect in progress"
    /// The device's object vanishes while it is being connected.
    case vanishesWhileConnecting = "vanishes while connecting"
    /// The link is lost before the services are resolved.
    case linkLostWhileResolving = "link lost while resolving"
    /// The services are never resolved.
    case neverResolves = "never resolves"
    /// `ServicesResolved` is signalled before the services' objects, and those a moment after the first of them.
    case resolvedTooEarly = "resolved too early"
    /// `ServicesResolved` is signalled, and there are no services.
    case resolvedWithoutServices = "resolved without services"
    /// Services that have changed since the last link are not noticed: bluetoothd shows what it remembers.
    case cacheStale = "cache stale"
    /// The device is tried by Bluetooth Classic first, unless it is told to prefer LE.
    case classicFirst = "classic first"
    /// Services that change go at once and come back one by one, and are not resolved meanwhile.
    case servicesChangeSlowly = "services change slowly"
    /// The battery service is hidden behind `Battery1`.
    case batteryHidden = "battery hidden"
    /// Disconnect is never answered, and the device stays connected.
    case disconnectHangs = "disconnect hangs"
    /// Reads and writes are answered with `InProgress`.
    case operationInProgress = "operation in progress"
    /// Reads and writes are never answered; after 30 s bluetoothd ends the link.
    case operationHangs = "operation hangs"
    /// The link stays up without the Attribute Protocol, as one by Bluetooth Classic: operations fail, as if it were down.
    case attributesLost = "attributes lost"
    /// StartNotify succeeds, and nothing is notified.
    case subscriptionLost = "subscription lost"
    /// Pair is never answered.
    case pairingHangs = "pairing hangs"
    /// AcquireNotify is never answered, and nobody else subscribes until the link has ended.
    case acquireHangs = "acquire hangs"

    // Of an adapter.
    /// StartDiscovery is refused: it is in progress.
    case discoveryInProgress = "discovery in progress"
    /// Scanning goes on, and nothing is heard.
    case scanDies = "scan dies"
    /// Setting a property is refused.
    case powerBlocked = "power blocked"
    /// Switching the adapter on fails, and leaves it off.
    case powerOnFails = "power on fails"
    /// Every call is refused by the bus's policy.
    case accessDenied = "access denied"

    /// Those of an adapter; all others are of a peripheral.
    static let ofAdapters: [Fault] = [.discoveryInProgress, .scanDies, .powerBlocked, .powerOnFails, .accessDenied]

    /// A fault and how often it happens.
    package struct Rule: Hashable, Sendable {
        package var fault: Fault
        /// Nil: each time.
        package var times: Int?

        package init(_ fault: Fault, times: Int? = nil) {
            self.fault = fault
            self.times = times
        }
    }
}

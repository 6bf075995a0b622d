/// Where a device's address comes from; the raw value is BlueZ's `AddressType`.
package enum AddressKind: String, Hashable, Sendable, CaseIterable {
    /// Registered with the IEEE.
    case `public`
    /// Chosen by the device: for good, until it restarts, or changing every few minutes (a private address).
    case random
}

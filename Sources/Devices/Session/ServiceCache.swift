/// Decides when bluetoothd's cache of a device's services must be cleared.
///
/// After a firmware update, bluetoothd may report the old services. The cache is cleared once; characteristics that are
/// still missing afterwards are missing on the device.
package struct ServiceCache: Sendable {
    package enum Verdict {
        /// The cache must be cleared, and the services discovered again.
        case clear
        /// The services are used as discovered; the set contains the characteristics that are newly missing.
        case accept(Set<String>)
    }

    /// The characteristics for which the cache was cleared and that have had no value since.
    private var stale: Set<String> = []
    /// The configured characteristics that were missing in the last accepted discovery.
    private var absent: Set<String> = []
    /// Whether the cache has been cleared for missing characteristics since the connection was last ready.
    private var hasBeenCleared = false

    /// Whether no characteristic is stale.
    package var isFresh: Bool { stale.isEmpty }

    /// Returns what to do after a discovery.
    ///
    /// - Parameter missing: the configured characteristics that were not discovered.
    /// - Returns: whether to clear the cache or to accept the services.
    package mutating func verdict(missing: Set<String>) -> Verdict {
        let news = missing.subtracting(absent)
        if !news.isEmpty && !hasBeenCleared {
            hasBeenCleared = true
            return .clear
        }
        absent = missing
        return .accept(news)
    }

    package mutating func connectionIsReady() {
        hasBeenCleared = false
    }

    /// Notes that the device lacks a discovered characteristic; returns false if the cache was cleared already because
    /// of this characteristic.
    package mutating func becameStale(_ name: String) -> Bool {
        stale.insert(name).inserted
    }

    package mutating func obtained(_ name: String) {
        stale.remove(name)
    }
}

/// Decides when bluetoothd's cache of a device's services must be cleared.
///
/// After a firmware update bluetoothd may show the old services. The cache is cleared once; what is missing then is
/// missing on the device.
struct ServiceCache: Sendable {
    enum Verdict {
        /// The cache must be cleared, and the services discovered again.
        case clear
        /// The device is used as it is; the names are missing for the first time.
        case accept(Set<String>)
    }

    /// The characteristics that clearing the cache has not made accessible.
    private var stale: Set<String> = []
    /// The characteristics that the device lacks.
    private var absent: Set<String> = []
    /// Whether the cache has been cleared since the connection was last ready.
    private var hasBeenCleared = false

    /// Whether no characteristic is stale.
    var isFresh: Bool { stale.isEmpty }

    /// Judges a discovery.
    ///
    /// - Parameter missing: the configured characteristics that were not discovered.
    /// - Returns: whether to clear the cache or to accept the services.
    mutating func verdict(missing: Set<String>) -> Verdict {
        let news = missing.subtracting(absent)
        if !news.isEmpty && !hasBeenCleared {
            hasBeenCleared = true
            return .clear
        }
        absent = missing
        return .accept(news)
    }

    mutating func connectionIsReady() {
        hasBeenCleared = false
    }

    /// The device does not know a discovered characteristic; returns false if the cache was cleared for it already.
    mutating func becameStale(_ name: String) -> Bool {
        stale.insert(name).inserted
    }

    mutating func obtained(_ name: String) {
        stale.remove(name)
    }
}

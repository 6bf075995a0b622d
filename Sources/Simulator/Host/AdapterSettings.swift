/// The properties of an adapter that clients can set.
struct AdapterSettings {
    var alias: String
    var isDiscoverable = false
    /// The property `DiscoverableTimeout`, in seconds.
    var discoverableTimeout: UInt32 = 180
    var isPairable = false
    /// The property `PairableTimeout`, in seconds; 0: no limit.
    var pairableTimeout: UInt32 = 0
}

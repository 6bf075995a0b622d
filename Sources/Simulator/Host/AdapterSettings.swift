/// The properties of an adapter that clients can set.
struct AdapterSettings {
    var alias: String
    var isDiscoverable = false
    /// In seconds.
    var discoverableTimeout: UInt32 = 180
    var isPairable = false
    /// In seconds; 0 for no limit.
    var pairableTimeout: UInt32 = 0
}

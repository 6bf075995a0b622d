/// The properties of a device that clients can set.
struct DeviceOptions {
    /// Nil: the device's name.
    var alias: String?
    var isTrusted = false
    var isBlocked = false
    var preferredBearer = "last-used"
}

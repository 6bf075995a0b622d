/// The properties of a device that clients can set.
struct DeviceOptions {
    /// The alias that a client has set; nil: the alias is the device's name or, without a name, its address.
    var alias: String?
    var isTrusted = false
    var isBlocked = false
    var preferredBearer = "last-used"
}

import Bluetooth

/// The calls of a device to its owner.
struct DeviceHooks {
    /// Called after the identity, or a format that was read from the device, has changed.
    var identityChanged: () -> Void = {}
    /// Returns the name of the device with an address; nil if there is none.
    var name: (Address) -> String? = { _ in nil }
    /// Called after the availability has changed.
    var availabilityChanged: () -> Void = {}
}

import Configuration

/// The limits of the devices that clients add with `device/add`, and of the options that they set.
package enum RosterLimit {
    /// The maximum number of added devices.
    package static let devices = 500
    /// The maximum size of one entry, in bytes of JSON.
    package static let entry = 16 << 10
    /// The maximum size of all entries, in bytes of JSON.
    package static let entries = 1 << 20
    /// The maximum number of characteristics in one entry.
    package static let characteristics = 100
    /// The maximum number of characteristics of all added devices, with those of their profiles: each takes 3.5 kB.
    package static let allCharacteristics = 5_000
    /// The minimum interval at which a characteristic is read.
    package static let interval = Configuration.Characteristic.shortestReadInterval
    /// The minimum of `connect: every` and of `quiet`: each connection causes about ten messages.
    package static let pause = Duration.seconds(1)
    /// The maximum size of the options of one device, in bytes of JSON.
    package static let options = 4 << 10
    /// The maximum size of the options of all devices, in bytes of JSON.
    package static let allOptions = 256 << 10
}

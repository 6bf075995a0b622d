import Devices

/// The timers of one device, except those that `DeviceStatus` owns.
enum DeviceTimer: Hashable, Sendable {
    case session(SessionTimer)
    /// The time to live of a command, by its identifier.
    case command(Int)
    /// The delay before the identity is published, because its parts are read one by one.
    case identity
}

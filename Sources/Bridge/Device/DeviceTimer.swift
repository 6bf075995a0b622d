/// The timers of one device, except those that `DeviceStatus` owns.
enum DeviceTimer: Hashable, Sendable {
    case session(SessionTimer)
    /// The time to live of a command, by its identifier.
    case command(Int)
    /// Publishes the identity after its parts have been read one by one.
    case identity
}

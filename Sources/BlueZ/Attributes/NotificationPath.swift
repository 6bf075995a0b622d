/// How notified values come from bluetoothd.
package enum NotificationPath: Sendable {
    /// Through descriptors from bluetoothd 5.84 on, else by signals.
    case automatic
    /// By D-Bus signals, which every version sends reliably.
    case signals
    /// Through a descriptor for each characteristic, without D-Bus: less work at many values a second.
    case descriptors
}

import EventLoop

/// How bluetoothd passes notified values on.
package enum NotificationPath: Sendable {
    /// Through sockets from bluetoothd 5.84 on, otherwise by signals.
    case automatic
    /// By D-Bus signals, which every version sends reliably.
    case signals
    /// Through one socket per characteristic, without D-Bus: less work at many values per second.
    case descriptors
}

/// A subscription to a characteristic.
///
/// An object, since it is looked up for each value.
final class Subscription {
    let characteristic: Characteristic
    /// The socket for the values; nil: they arrive by signals.
    let socket: PacketSocket?

    init(_ characteristic: Characteristic, through socket: PacketSocket? = nil) {
        self.characteristic = characteristic
        self.socket = socket
    }

    /// Ends the delivery of values.
    func close() {
        socket?.close()
    }
}

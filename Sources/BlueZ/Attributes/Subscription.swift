import EventLoop

/// How bluetoothd delivers notified values to this process.
package enum NotificationPath: Sendable {
    /// By sockets with bluetoothd 5.84 to 5.86, by signals with all other versions.
    case automatic
    /// By D-Bus signals, which are reliable with every version of bluetoothd.
    case signals
    /// By one socket per characteristic, without D-Bus: this needs less CPU time for many values per second.
    case descriptors
}

/// A subscription to a characteristic.
///
/// A class: each received value looks up its subscription, and this copies only a reference.
final class Subscription {
    let characteristic: Characteristic
    /// The socket that delivers the values; nil: signals deliver the values.
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

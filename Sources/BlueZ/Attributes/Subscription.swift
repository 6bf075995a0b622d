internal import EventLoop

/// A characteristic that is subscribed to, and how its values arrive.
///
/// An object, since it is looked up for each of them.
final class Subscription {
    let characteristic: Characteristic
    /// Where they come through a descriptor, and not by signals.
    let socket: PacketSocket?

    init(_ characteristic: Characteristic, through socket: PacketSocket? = nil) {
        self.characteristic = characteristic
        self.socket = socket
    }

    /// Nothing arrives from now on.
    func close() {
        socket?.close()
    }
}

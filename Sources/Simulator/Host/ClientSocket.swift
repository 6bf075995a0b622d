import Bluetooth
import EventLoop
import Glibc

/// A socket pair for AcquireNotify and AcquireWrite: the client gets one end, and each packet is one value.
final class ClientSocket {
    /// The client that has the other end.
    let client: String
    /// The file descriptor of the client's end.
    let far: Int32
    private let socket: PacketSocket

    /// Creates the socket pair; nil if the system cannot create a socket pair.
    ///
    /// - Parameters:
    ///   - client: The client that gets the other end.
    ///   - loop: The event loop that reads the socket.
    ///   - closed: Called when the client has closed its end.
    ///   - received: Called with each packet from the client.
    init?(
        for client: String, on loop: EventLoop, closed: @escaping () -> Void,
        received: @escaping ([UInt8]) -> Void
    ) {
        guard let ends = PacketSocket.pair() else { return nil }
        self.client = client
        far = ends.far
        socket = PacketSocket(owning: ends.near, on: loop, received: { received([UInt8]($0)) }, ended: closed)
    }

    /// Sends a value; drops it if the socket is full, as bluetoothd does.
    func send(_ bytes: [UInt8]) {
        socket.send(bytes)
    }

    func close() {
        socket.close()
    }
}

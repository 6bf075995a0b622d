import Bluetooth
import EventLoop
import Glibc

/// One end of a pair of sockets whose other end a client gets: one packet, one value.
final class ClientSocket {
    /// The client that holds the other end.
    let client: String
    /// The end that is handed on.
    let far: Int32
    private let socket: PacketSocket

    /// - Parameters:
    ///   - closed: called when the client has closed its end.
    ///   - received: called with each packet from the client.
    init?(
        for client: String, on loop: EventLoop, closed: @escaping () -> Void,
        received: @escaping ([UInt8]) -> Void
    ) {
        guard let ends = PacketSocket.pair() else { return nil }
        self.client = client
        far = ends.far
        socket = PacketSocket(owning: ends.near, on: loop, received: { received([UInt8]($0)) }, ended: closed)
    }

    /// Sends a value; dropped when the client does not keep up, as bluetoothd does.
    func send(_ bytes: [UInt8]) {
        socket.send(bytes)
    }

    func close() {
        socket.close()
    }
}

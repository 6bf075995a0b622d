internal import EventLoop

/// How the values of a characteristic arrive that is subscribed to.
enum Subscription {
    case signals
    case descriptor(PacketSocket)

    var isBySignals: Bool {
        if case .signals = self { true } else { false }
    }

    /// Nothing arrives from now on.
    func close() {
        if case .descriptor(let socket) = self { socket.close() }
    }
}

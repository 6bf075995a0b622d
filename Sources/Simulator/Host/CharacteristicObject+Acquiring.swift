import Bluetooth
import DBus

/// A call of AcquireNotify, from when it is taken until it is answered.
final class Acquisition {}

/// The fast ways in and out: values go through a socket in place of signals and calls.
extension CharacteristicObject {
    /// Whether values go, or are to go, through a socket, and no other way.
    var isNotifyAcquired: Bool { acquisition != nil || notifySocket != nil }

    func acquireNotify(_ call: Call) throws(DBusError) {
        guard device.isConnected else { throw BlueZError.linkMissing }
        if isNotifyAcquired { throw BlueZError.notPermitted("Notify acquired") }
        if !device.disconnects.isEmpty { throw BlueZError.notConnected }
        if !subscribers.isEmpty { throw BlueZError.inProgress }
        let isIndicated = properties.contains(.indicate) && device.host.fleet.version.acquiresIndications
        guard properties.contains(.notify) || isIndicated else { throw BlueZError.notSupported }
        let acquisition = Acquisition()
        if peripheral.faults.happens(.acquireHangs) {
            self.acquisition = acquisition
            return
        }
        try device.request(taking: peripheral.model.pace.subscribe, for: call) { [weak self] in
            guard let self, self.acquisition === acquisition else { return }
            self.acquisition = nil
            let socket = socket(for: call) { [weak self] in
                self?.releaseNotify()
            } received: { _ in
            }
            guard let socket else { return }
            notifySocket = socket
            if !attribute.isSubscribed { peripheral.subscribe(attribute, by: call.client) }
            changed("NotifyAcquired")
            hand(socket, to: call)
        }
        self.acquisition = acquisition
    }

    func releaseNotify() {
        guard let socket = notifySocket else { return }
        notifySocket = nil
        socket.close()
        unsubscribe(socket.client)
        changed("NotifyAcquired")
    }

    func acquireWrite(_ call: Call) throws(DBusError) {
        guard device.isConnected else { throw BlueZError.linkMissing }
        if writeSocket != nil { throw BlueZError.notPermitted("Write acquired") }
        guard properties.contains(.writeWithoutResponse) else { throw BlueZError.notSupported }
        let client = call.client
        let socket = socket(for: call) { [weak self] in
            self?.releaseWrite()
        } received: { [weak self] bytes in
            guard let self else { return }
            peripheral.command(bytes, to: attribute, by: client)
        }
        guard let socket else { return }
        writeSocket = socket
        changed("WriteAcquired")
        hand(socket, to: call)
    }

    func releaseWrite() {
        guard let socket = writeSocket else { return }
        writeSocket = nil
        socket.close()
        changed("WriteAcquired")
    }

    private func socket(
        for call: Call, closed: @escaping () -> Void, received: @escaping ([UInt8]) -> Void
    ) -> ClientSocket? {
        let socket = ClientSocket(for: call.client, on: device.host.loop, closed: closed, received: received)
        if socket == nil { call.fail(BlueZError.failed("Too many open files")) }
        return socket
    }

    private func hand(_ socket: ClientSocket, to call: Call) {
        // The client has a copy of its own then.
        call.reply(.fileDescriptor(FileDescriptor(owning: socket.far)), .uint16(peripheral.model.mtu))
    }
}

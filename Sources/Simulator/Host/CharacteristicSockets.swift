import Bluetooth
import DBus

/// The sockets of a characteristic: AcquireNotify and AcquireWrite send values through them instead of over D-Bus.
final class CharacteristicSockets {
    private unowned let object: CharacteristicObject
    /// The call of AcquireNotify that has no socket yet; nil if there is none.
    private var acquisition: Acquisition?
    private var notifySocket: ClientSocket?
    private var writeSocket: ClientSocket?

    /// Identifies a call of AcquireNotify until it is answered.
    private final class Acquisition {}

    init(of object: CharacteristicObject) {
        self.object = object
    }

    private var device: DeviceObject { object.device }
    private var peripheral: Peripheral { object.peripheral }

    /// Whether a client has called AcquireNotify; StartNotify is then rejected.
    var isNotifyAcquired: Bool { acquisition != nil || notifySocket != nil }
    /// Whether a client receives notifications through a socket.
    var hasNotifySocket: Bool { notifySocket != nil }
    var isWriteAcquired: Bool { writeSocket != nil }

    // MARK: Notifications

    func acquireNotify(_ call: Call) throws(DBusError) {
        guard device.link.isConnected else { throw BlueZError.linkMissing }
        if isNotifyAcquired { throw BlueZError.notPermitted("Notify acquired") }
        if device.link.isDisconnecting { throw BlueZError.notConnected }
        if object.subscription.hasClients { throw BlueZError.inProgress }
        let isIndicated = object.properties.contains(.indicate) && device.host.fleet.version.acquiresIndications
        guard object.properties.contains(.notify) || isIndicated else { throw BlueZError.notSupported }
        let acquisition = Acquisition()
        if peripheral.faults.happens(.acquireHangs) {
            self.acquisition = acquisition
            return
        }
        try device.requests.start(taking: peripheral.model.pace.subscribe, for: call) { [weak self] in
            guard let self, self.acquisition === acquisition else { return }
            if let code = object.attribute.model.subscribeError {
                // bluetoothd before 5.84 never answers, and allows no further acquisition (commit 476ae809a).
                guard device.host.fleet.version.answersFailedAcquire else { return }
                self.acquisition = nil
                return call.fail(DBusError(ATTError(code: code)))
            }
            self.acquisition = nil
            let socket = socket(for: call) { [weak self] in
                self?.releaseNotify()
            } received: { _ in
            }
            guard let socket else { return }
            notifySocket = socket
            if !object.attribute.isSubscribed { peripheral.subscribe(object.attribute, by: call.client) }
            object.changed("NotifyAcquired")
            hand(socket, to: call)
        }
        self.acquisition = acquisition
    }

    /// Ends the effect of AcquireNotify after a call of StopNotify.
    func stopNotify() {
        // A pending AcquireNotify is then never answered (BlueZ, destroy_sock).
        acquisition = nil
        releaseNotify()
    }

    /// Sends a value through the socket for notifications, if there is one.
    ///
    /// - Returns: Whether there is a socket for notifications.
    func send(_ bytes: [UInt8]) -> Bool {
        guard let notifySocket else { return false }
        notifySocket.send(bytes)
        return true
    }

    private func releaseNotify() {
        guard let socket = notifySocket else { return }
        notifySocket = nil
        socket.close()
        object.subscription.disable(by: socket.client)
        object.changed("NotifyAcquired")
    }

    // MARK: Writes

    func acquireWrite(_ call: Call) throws(DBusError) {
        guard device.link.isConnected else { throw BlueZError.linkMissing }
        if writeSocket != nil { throw BlueZError.notPermitted("Write acquired") }
        guard object.properties.contains(.writeWithoutResponse) else { throw BlueZError.notSupported }
        let client = call.client
        let socket = socket(for: call) { [weak self] in
            self?.releaseWrite()
        } received: { [weak self] bytes in
            guard let self else { return }
            peripheral.command(bytes, to: object.attribute, by: client)
        }
        guard let socket else { return }
        writeSocket = socket
        object.changed("WriteAcquired")
        hand(socket, to: call)
    }

    private func releaseWrite() {
        guard let socket = writeSocket else { return }
        writeSocket = nil
        socket.close()
        object.changed("WriteAcquired")
    }

    // MARK: Sockets

    private func socket(
        for call: Call, closed: @escaping () -> Void, received: @escaping ([UInt8]) -> Void
    ) -> ClientSocket? {
        let socket = ClientSocket(for: call.client, on: device.host.loop, closed: closed, received: received)
        if socket == nil { call.fail(BlueZError.failed("Too many open files")) }
        return socket
    }

    private func hand(_ socket: ClientSocket, to call: Call) {
        // The message takes a copy of the descriptor.
        call.reply(.fileDescriptor(FileDescriptor(owning: socket.far)), .uint16(peripheral.model.mtu))
    }

    /// Closes the sockets after the end of the connection, and drops a pending AcquireNotify.
    func linkLost() {
        acquisition = nil
        release()
    }

    /// Closes the sockets; a pending AcquireNotify continues.
    func release() {
        releaseNotify()
        releaseWrite()
    }
}

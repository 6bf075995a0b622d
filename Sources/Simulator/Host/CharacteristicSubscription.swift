import Bluetooth
import DBus
import EventLoop

/// The subscription to a characteristic; the clients that have called StartNotify share it.
final class CharacteristicSubscription {
    private unowned let object: CharacteristicObject
    /// The property Notifying.
    private(set) var isNotifying = false
    /// The clients that have called StartNotify; they stay subscribed across connections.
    private var clients: [String] = []

    init(of object: CharacteristicObject) {
        self.object = object
    }

    private var device: DeviceObject { object.device }
    private var peripheral: Peripheral { object.peripheral }
    private var attribute: PeripheralCharacteristic { object.attribute }

    var hasClients: Bool { !clients.isEmpty }

    func startNotify(_ call: Call) throws(DBusError) {
        if device.link.isDisconnecting { throw BlueZError.notConnected }
        if object.sockets.isNotifyAcquired { throw BlueZError.notPermitted("Notify acquired") }
        guard object.properties.canSubscribe else { throw BlueZError.notSupported }
        if clients.contains(call.client) {
            // BlueZ (characteristic_start_notify) answers a second call at once, even if the first is not answered.
            guard device.link.isConnected else { throw BlueZError.inProgress }
            return call.reply()
        }
        guard device.link.isConnected else {
            // The subscription takes effect with the next connection.
            clients.append(call.client)
            return call.reply()
        }
        if peripheral.faults.happens(.subscriptionLost) { return call.reply() }
        clients.append(call.client)
        if isNotifying { return call.reply() }
        let client = call.client
        try device.requests.start(
            taking: peripheral.model.pace.subscribe, for: call,
            lost: { [weak self] in self?.remove(client) },
            done: { [weak self] in self?.finishStart(call) })
    }

    private func finishStart(_ call: Call) {
        guard peripheral.has(attribute) else {
            remove(call.client)
            return call.fail(DBusError(ATTError(code: 0x01)))
        }
        if attribute.model.needsBond && !device.isSecure {
            remove(call.client)
            return call.fail(DBusError(ATTError(code: 0x05)))
        }
        if peripheral.faults.happens(.linkLostWhileSubscribing) {
            remove(call.client)
            call.fail(BlueZError.operationFailed)
            return peripheral.drop()
        }
        if let code = attribute.model.subscribeError {
            remove(call.client)
            return call.fail(DBusError(ATTError(code: code)))
        }
        enable()
        call.reply()
    }

    private func remove(_ client: String) {
        clients.removeAll { $0 == client }
    }

    /// Enables notifications for all clients.
    private func enable() {
        guard let client = clients.first else { return }
        if !attribute.isSubscribed { peripheral.subscribe(attribute, by: client) }
        guard !isNotifying else { return }
        isNotifying = true
        object.changed("Notifying")
    }

    /// Restores the subscription after a new connection.
    func restore() {
        guard hasClients else { return }
        device.host.loop.schedule(after: peripheral.model.pace.subscribe) { [weak self] in
            guard let self, device.link.isConnected else { return }
            // BlueZ drops a subscription that cannot be restored, without a signal.
            if peripheral.has(attribute) { enable() } else { clients = [] }
        }
    }

    func stopNotify(_ call: Call) throws(DBusError) {
        if object.sockets.isNotifyAcquired {
            object.sockets.stopNotify()
            return call.reply()
        }
        guard clients.contains(call.client) else { throw BlueZError.failed("No notify session started") }
        end(of: call.client)
        call.reply()
    }

    /// Ends the subscription of a client that has left the bus.
    func clientLeft(_ client: String) {
        if clients.contains(client) { end(of: client) }
    }

    private func end(of client: String) {
        remove(client)
        guard clients.isEmpty else { return }
        if isNotifying {
            isNotifying = false
            object.changed("Notifying")
        }
        disable(by: client)
    }

    /// Disables notifications without waiting for the peripheral's response.
    func disable(by client: String) {
        guard device.link.isConnected, attribute.isSubscribed else { return }
        peripheral.unsubscribe(attribute, by: client)
    }
}

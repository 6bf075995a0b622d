import Bluetooth
import DBus
import EventLoop

/// Subscriptions: they belong to clients, who share one on the air.
extension CharacteristicObject {
    func startNotify(_ call: Call) throws(DBusError) {
        if !device.disconnects.isEmpty { throw BlueZError.notConnected }
        if isNotifyAcquired { throw BlueZError.notPermitted("Notify acquired") }
        guard properties.canSubscribe else { throw BlueZError.notSupported }
        if subscribers.contains(call.client) {
            // BlueZ waits neither for the first call's answer nor for a link: characteristic_start_notify.
            guard device.isConnected else { throw BlueZError.inProgress }
            return call.reply()
        }
        guard device.isConnected else {
            // It takes effect with the next link.
            subscribers.append(call.client)
            return call.reply()
        }
        if peripheral.faults.happens(.subscriptionLost) { return call.reply() }
        subscribers.append(call.client)
        if isNotifying { return call.reply() }
        let client = call.client
        try device.request(
            taking: peripheral.model.pace.subscribe, for: call,
            lost: { [weak self] in self?.subscribers.removeAll { $0 == client } },
            done: { [weak self] in
                guard let self else { return }
                guard peripheral.has(attribute) else {
                    subscribers.removeAll { $0 == client }
                    return call.fail(DBusError(ATTError(code: 0x01)))
                }
                if attribute.model.needsBond && !device.isSecure {
                    subscribers.removeAll { $0 == client }
                    return call.fail(DBusError(ATTError(code: 0x05)))
                }
                subscribe()
                call.reply()
            })
    }

    /// Turns notifications on, for all who wait for them.
    private func subscribe() {
        guard let client = subscribers.first else { return }
        if !attribute.isSubscribed { peripheral.subscribe(attribute, by: client) }
        guard !isNotifying else { return }
        isNotifying = true
        changed("Notifying")
    }

    /// A new link: those who subscribed during an earlier one need not do it again.
    func resubscribe() {
        guard !subscribers.isEmpty else { return }
        device.host.loop.schedule(after: peripheral.model.pace.subscribe) { [weak self] in
            guard let self, device.isConnected else { return }
            // BlueZ drops those that it cannot subscribe again, without a word.
            if peripheral.has(attribute) { subscribe() } else { subscribers = [] }
        }
    }

    func stopNotify(_ call: Call) throws(DBusError) {
        if isNotifyAcquired {
            // The AcquireNotify that waits for its socket is never answered: BlueZ, destroy_sock.
            acquisition = nil
            releaseNotify()
            return call.reply()
        }
        guard subscribers.contains(call.client) else { throw BlueZError.failed("No notify session started") }
        endSubscription(of: call.client)
        call.reply()
    }

    func clientLeft(_ client: String) {
        if subscribers.contains(client) { endSubscription(of: client) }
    }

    private func endSubscription(of client: String) {
        subscribers.removeAll { $0 == client }
        guard subscribers.isEmpty else { return }
        if isNotifying {
            isNotifying = false
            changed("Notifying")
        }
        unsubscribe(client)
    }

    /// Turns notifications off; nobody waits for that.
    func unsubscribe(_ client: String) {
        guard device.isConnected, attribute.isSubscribed else { return }
        peripheral.unsubscribe(attribute, by: client)
    }

    /// A value has come from the peripheral.
    func notified(_ bytes: [UInt8]) {
        if let notifySocket {
            notifySocket.send(bytes)
        } else if isNotifying {
            show(bytes)
        }
    }
}

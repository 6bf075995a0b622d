import Bluetooth
import DBus
import EventLoop
import Glibc
import System

/// Subscriptions to characteristics.
extension Peripheral {
    /// Subscribes to a characteristic's notifications or indications, or ends the subscription.
    ///
    /// - Throws: `CentralError`: `notSupported` if the characteristic has neither property.
    package func setNotify(
        _ enabled: Bool, for characteristic: Characteristic, bySignals: Bool = false
    ) async throws(CentralError) {
        if enabled {
            try await subscribe(to: characteristic, bySignals: bySignals)
        } else {
            try await unsubscribe(from: characteristic)
        }
    }

    /// Returns whether there is a subscription to the characteristic.
    package func isNotifying(_ characteristic: Characteristic) -> Bool {
        inbox.subscriptions[characteristic.path] != nil
    }

    private func subscribe(to characteristic: Characteristic, bySignals: Bool) async throws(CentralError) {
        if inbox.subscriptions[characteristic.path]?.socket != nil { return }
        if isBattery(characteristic) { return addSubscription(Subscription(characteristic)) }
        if prefersSockets, !bySignals, characteristic.properties.contains(.notify), try await acquire(characteristic) {
            return
        }
        addSubscription(Subscription(characteristic))
        let token = operations.token
        do throws(CentralError) {
            _ = try await perform(
                "StartNotify", on: BlueZName.gattCharacteristic, at: characteristic.path,
                of: name(of: characteristic), doing: "subscribe")
            // A value can arrive before the reply, and the caller may then cancel the operations and unsubscribe.
            guard operations.token == token else {
                throw CentralError(.cancelled, name(of: characteristic), "subscribe: cancelled")
            }
            try await confirm(characteristic)
        } catch {
            // A cancelled subscription may still exist at bluetoothd; the caller then ends it.
            if error.code != .cancelled { _ = removeSubscription(of: characteristic) }
            throw error
        }
    }

    /// Checks whether bluetoothd has subscribed.
    ///
    /// Without a usable connection, bluetoothd also reports success, and drops the subscription when the request fails
    /// later (src/gatt-client.c, characteristic_start_notify).
    private func confirm(_ characteristic: Characteristic) async throws(CentralError) {
        let reply = try await perform(
            "Get", on: BlueZName.properties, at: characteristic.path,
            [.string(BlueZName.gattCharacteristic), .string(AttributeProperties.notifying)],
            of: name(of: characteristic), doing: "subscribe")
        guard reply.first?.boolean == true else {
            throw CentralError(
                .failed, name(of: characteristic),
                "subscribe: bluetoothd reported success, but there is no subscription")
        }
    }

    private func unsubscribe(from characteristic: Characteristic) async throws(CentralError) {
        let subscription = removeSubscription(of: characteristic)
        subscription?.close()
        // Closing the socket ends the subscription. StopNotify after AcquireNotify crashed bluetoothd (fixed in 5.84,
        // commit 476ae809a).
        if subscription?.socket != nil { return }
        if isBattery(characteristic) { return }
        // Usually a disconnection follows, which must not wait for a peripheral that does not respond any more.
        _ = try await perform(
            "StopNotify", on: BlueZName.gattCharacteristic, at: characteristic.path,
            of: name(of: characteristic), doing: "unsubscribe", within: .seconds(5))
    }

    // MARK: Sockets

    private var prefersSockets: Bool {
        switch notificationPath {
        case .signals: false
        case .descriptors: true
        case .automatic: bluetoothd?.acquiresReliably ?? false
        }
    }

    /// Subscribes through a socket.
    ///
    /// - Returns: Whether there is a socket; false if bluetoothd supports only signals for the characteristic now.
    /// - Throws: `CentralError` if the subscription itself fails.
    private func acquire(_ characteristic: Characteristic) async throws(CentralError) -> Bool {
        let reply: [Variant]
        do {
            // bluetoothd may never reply if the peripheral rejects the subscription (before 5.84).
            reply = try await perform(
                "AcquireNotify", on: BlueZName.gattCharacteristic, at: characteristic.path, [.properties([:])],
                of: name(of: characteristic), doing: "subscribe", within: .seconds(10))
        } catch {
            // Only this call is stuck, not the connection: an error with the code `timeout` would end the connection.
            if error.code == .timeout {
                throw CentralError(
                    .failed, name(of: characteristic),
                    "subscribe: bluetoothd does not reply to AcquireNotify: set bluetooth: {notify: signals}")
            }
            // The characteristic sends indications (bluetoothd before 5.80), or another program has subscribed by
            // signals or has the socket.
            guard error.code == .notSupported || error.code == .inProgress else { throw error }
            return false
        }
        guard isConnected, attributes.isDiscovered(characteristic) else {
            throw CentralError(.peripheralDisconnected, name(of: characteristic), "subscribe: the connection is down")
        }
        guard let descriptor = reply.first?.fileDescriptor?.take() else {
            throw CentralError(
                .failed, name(of: characteristic), "subscribe: the reply to AcquireNotify contains no socket")
        }
        let socket = PacketSocket(owning: descriptor, on: loop) { [unowned self] value in
            isolated(value, characteristic) { $0.report($1, of: $2) }
        } ended: { [unowned self] in
            assumeIsolated { $0.socketEnded(of: characteristic) }
        }
        addSubscription(Subscription(characteristic, through: socket))
        return true
    }

    /// Handles the end of a socket that bluetoothd has closed.
    ///
    /// The connection may be lost, which bluetoothd then reports soon; otherwise only the subscription has ended.
    private func socketEnded(of characteristic: Characteristic) {
        removeSubscription(of: characteristic)?.close()
        let token = operations.token
        after(.seconds(1)) { peripheral in
            guard peripheral.operations.token == token, peripheral.isConnected else { return }
            peripheral.emit(.subscriptionEnded(characteristic))
        }
    }
}

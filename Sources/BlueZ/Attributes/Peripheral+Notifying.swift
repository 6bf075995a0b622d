internal import Bluetooth
internal import DBus
internal import EventLoop
internal import Glibc

/// Values that nobody asked for.
extension Peripheral {
    /// Subscribes to a characteristic's notifications or indications, or cancels the subscription.
    ///
    /// - Throws: `CentralError`: `notSupported` when it has neither property.
    package func setNotify(_ enabled: Bool, for characteristic: Characteristic) async throws(CentralError) {
        if enabled { try await subscribe(to: characteristic) } else { try await unsubscribe(from: characteristic) }
    }

    /// Whether values of the characteristic arrive by themselves.
    package func isNotifying(_ characteristic: Characteristic) -> Bool {
        subscriptions[characteristic.path] != nil
    }

    private func subscribe(to characteristic: Characteristic) async throws(CentralError) {
        if subscriptions[characteristic.path]?.socket != nil { return }
        if isBattery(characteristic) {
            subscriptions[characteristic.path] = Subscription(characteristic)
            return
        }
        if prefersDescriptors, characteristic.properties.contains(.notify), try await acquire(characteristic) {
            return
        }
        subscriptions[characteristic.path] = Subscription(characteristic)
        do {
            _ = try await perform(
                "StartNotify", on: BlueZName.gattCharacteristic, at: characteristic.path,
                of: name(of: characteristic), doing: "subscribe")
            try await confirm(characteristic)
            deliverEarlyValues(of: characteristic)
        } catch {
            // One that was given up on the way may be there all the same, and is to be cancelled.
            if error.code != .cancelled { subscriptions[characteristic.path] = nil }
            throw error
        }
    }

    /// Looks whether bluetoothd has subscribed: it says so also while it has no link of use, and forgets it when it fails
    /// later (src/gatt-client.c, characteristic_start_notify).
    private func confirm(_ characteristic: Characteristic) async throws(CentralError) {
        let reply = try await perform(
            "Get", on: BlueZName.properties, at: characteristic.path,
            [.string(BlueZName.gattCharacteristic), .string("Notifying")], of: name(of: characteristic),
            doing: "subscribe")
        guard reply.first?.boolean == true else {
            throw CentralError(
                .failed, name(of: characteristic), "subscribe: bluetoothd says that it has, and does not listen")
        }
    }

    private func unsubscribe(from characteristic: Characteristic) async throws(CentralError) {
        let subscription = subscriptions.removeValue(forPath: characteristic.path)
        subscription?.close()
        // To close the descriptor is to cancel. StopNotify after an AcquireNotify is what has crashed bluetoothd (fixed in
        // 5.84, commit 476ae809a).
        if subscription?.socket != nil { return }
        if isBattery(characteristic) { return }
        // Who cancels is mostly about to leave, and does not wait for a peripheral that no longer answers.
        _ = try await perform(
            "StopNotify", on: BlueZName.gattCharacteristic, at: characteristic.path,
            of: name(of: characteristic), doing: "unsubscribe", within: .seconds(5))
    }

    // MARK: Descriptors

    private var prefersDescriptors: Bool {
        switch notificationPath {
        case .signals: false
        case .descriptors: true
        case .automatic: bluetoothd?.acquiresReliably ?? false
        }
    }

    /// Subscribes by way of a descriptor.
    ///
    /// - Returns: whether that can be done; if not, signals can do it.
    /// - Throws: `CentralError` when the subscription itself fails.
    private func acquire(_ characteristic: Characteristic) async throws(CentralError) -> Bool {
        let reply: [Variant]
        do {
            // It may never be answered when the peripheral refuses (before 5.84).
            reply = try await perform(
                "AcquireNotify", on: BlueZName.gattCharacteristic, at: characteristic.path, [.properties([:])],
                of: name(of: characteristic), doing: "subscribe", within: .seconds(10))
        } catch {
            // Only this is stuck, and the link is not.
            if error.code == .timeout {
                throw CentralError(
                    .failed, name(of: characteristic),
                    "subscribe: bluetoothd does not answer AcquireNotify: set bluetooth: {notify: signals}")
            }
            // Indications before 5.80; another program has the signals, or another one the descriptor.
            guard error.code == .notSupported || error.code == .inProgress else { throw error }
            return false
        }
        guard isConnected, characteristics[characteristic.path] != nil else {
            throw CentralError(.peripheralDisconnected, name(of: characteristic), "subscribe: the link went down")
        }
        guard let descriptor = reply.first?.fileDescriptor?.take() else {
            throw CentralError(.failed, name(of: characteristic), "subscribe: bluetoothd gave no descriptor")
        }
        let socket = PacketSocket(owning: descriptor, on: loop) { [unowned self] value in
            isolated(value, characteristic) { $0.tell($1, of: $2) }
        } ended: { [unowned self] in
            assumeIsolated { $0.socketEnded(of: characteristic) }
        }
        subscriptions[characteristic.path] = Subscription(characteristic, through: socket)
        return true
    }

    /// bluetoothd has closed its end: because the link has gone, which it tells soon, or for a reason of its own.
    private func socketEnded(of characteristic: Characteristic) {
        subscriptions.removeValue(forPath: characteristic.path)?.close()
        let epoch = operationEpoch
        loop.schedule(after: .seconds(1)) { [weak self] in
            self?.assumeIsolated { peripheral in
                guard peripheral.operationEpoch == epoch, peripheral.isConnected else { return }
                peripheral.emit(.subscriptionEnded(characteristic))
            }
        }
    }

    // MARK: What arrives

    /// A signal tells of one of the peripheral's attributes: of interest is a characteristic's value.
    func attributeChanged(_ message: Message, at path: Span<UInt8>) {
        var arguments = message.reader
        guard arguments.isText(BlueZName.gattCharacteristic) else { return }
        arguments.skip()
        var properties = arguments.contents()
        while !properties.isAtEnd {
            var property = properties.contents()
            if property.isText("Value") {
                property.skip()
                var value = property.contents()
                value.withBytes { valueChanged($0, at: path) }
                return
            }
            properties.skip()
        }
    }

    private func valueChanged(_ value: Span<UInt8>, at path: Span<UInt8>) {
        let subscription = subscriptions[path]
        // What is read is signalled as well; what is notified comes through the descriptor.
        guard subscription?.socket == nil else { return }
        if !heldValues.isEmpty, let name = heldValues.keys.first(where: { path.isText($0) }) {
            guard let notified = heldValues[name]?.hold([UInt8](value)), let subscription else { return }
            tell(notified.span, of: subscription.characteristic)
        } else if let subscription {
            // Values also change by reads of other programs and of bluetoothd itself: those are nobody's business.
            tell(value, of: subscription.characteristic)
        } else if isConnected, earlyValues.count < Self.earlyCapacity {
            let name = String(decoding: [UInt8](path), as: UTF8.self)
            earlyValues.append(EarlyValue(path: name, value: [UInt8](value), received: loop.now))
        }
    }

    private static let earlyCapacity = 32

    /// Hands on what was notified before the subscription was renewed.
    ///
    /// When a link comes back, bluetoothd by itself subscribes again to what we were subscribed to, before it says that
    /// the services are resolved; a door that tells its state at once has told it by then, or while we are about to
    /// subscribe.
    private func deliverEarlyValues(of characteristic: Characteristic) {
        for early in earlyValues where early.path == characteristic.path && loop.now - early.received < .seconds(30) {
            deliver(early.value, of: characteristic)
        }
        earlyValues.removeAll { $0.path == characteristic.path }
    }

    /// Hands on a value that was kept for a while, if it is wanted still.
    func deliver(_ value: [UInt8], of characteristic: Characteristic) {
        if subscriptions[characteristic.path] != nil { tell(value.span, of: characteristic) }
    }
}

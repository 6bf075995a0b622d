internal import Bluetooth
internal import DBus
internal import EventLoop

extension Peripheral {
    /// Reads a characteristic's value; bluetoothd fetches a long one in as many pieces as it takes.
    ///
    /// - Throws: `CentralError`, with the ATT error where the peripheral refused.
    package func readValue(of characteristic: Characteristic) async throws(CentralError) -> [UInt8] {
        heldValues[characteristic.path] = []
        defer { release(characteristic) }
        let reply = try await perform(
            "ReadValue", on: BlueZName.gattCharacteristic, at: characteristic.path, [.properties([:])],
            of: name(of: characteristic), doing: "read")
        guard let value = reply.first?.bytes else {
            throw CentralError(.failed, name(of: characteristic), "read: bluetoothd answered without a value")
        }
        // bluetoothd signals what it reads as if it were notified: that one is ours.
        if let echo = heldValues[characteristic.path]?.lastIndex(of: value) {
            heldValues[characteristic.path]?.remove(at: echo)
        }
        return value
    }

    /// Hands on the notifications that came while a read was under way.
    private func release(_ characteristic: Characteristic) {
        for value in heldValues.removeValue(forKey: characteristic.path) ?? [] {
            deliver(value, of: characteristic)
        }
    }

    /// Writes a characteristic's value.
    ///
    /// - Throws: `CentralError`, with the ATT error where the peripheral refused.
    package func writeValue(
        _ value: [UInt8], of characteristic: Characteristic, _ type: WriteType
    ) async throws(CentralError) {
        // Without a type bluetoothd would choose one by the characteristic's flags.
        let options: [String: Variant] = ["type": .string(type.rawValue)]
        let start = type == .withoutResponse ? pacer.next(at: loop.now) : loop.now
        _ = try await perform(
            "WriteValue", on: BlueZName.gattCharacteristic, at: characteristic.path,
            [.bytes(value), .properties(options)], of: name(of: characteristic), doing: "write", from: start)
    }

    /// Subscribes to a characteristic's notifications or indications, or cancels the subscription.
    ///
    /// - Throws: `CentralError`: `notSupported` when it has neither property.
    package func setNotify(_ enabled: Bool, for characteristic: Characteristic) async throws(CentralError) {
        if enabled {
            subscriptions.insert(characteristic.path)
            do {
                _ = try await perform(
                    "StartNotify", on: BlueZName.gattCharacteristic, at: characteristic.path,
                    of: name(of: characteristic), doing: "subscribe")
                deliverEarlyValues(of: characteristic)
            } catch {
                // One that was given up on the way may be there all the same, and is to be cancelled.
                if error.code != .cancelled { subscriptions.remove(characteristic.path) }
                throw error
            }
        } else {
            subscriptions.remove(characteristic.path)
            // Who cancels is mostly about to leave, and does not wait for a peripheral that no longer answers.
            _ = try await perform(
                "StopNotify", on: BlueZName.gattCharacteristic, at: characteristic.path,
                of: name(of: characteristic), doing: "unsubscribe", within: .seconds(5))
        }
    }

    /// Whether values of the characteristic arrive by themselves.
    package func isNotifying(_ characteristic: Characteristic) -> Bool {
        subscriptions.contains(characteristic.path)
    }

    private func name(of characteristic: Characteristic) -> String {
        "\(address)/\(characteristic.service)/\(characteristic.uuid)"
    }

    // MARK: What bluetoothd says

    /// A signal said that a characteristic's value is now `value`.
    func valueChanged(_ value: [UInt8], at path: String) {
        if heldValues[path] != nil {
            heldValues[path]?.append(value)
        } else if let characteristic = characteristics[path] {
            deliver(value, of: characteristic)
        } else if characteristics.isEmpty, isConnected, earlyValues.count < Self.earlyCapacity {
            earlyValues.append(EarlyValue(path: path, value: value, received: loop.now))
        }
    }

    private static let earlyCapacity = 32

    /// Hands on what was notified before the subscription was renewed.
    ///
    /// When a link comes back, bluetoothd by itself subscribes again to what we were subscribed to, before it says that
    /// the services are resolved; a door that tells its state at once has told it by then.
    private func deliverEarlyValues(of characteristic: Characteristic) {
        for early in earlyValues where early.path == characteristic.path && loop.now - early.received < .seconds(30) {
            deliver(early.value, of: characteristic)
        }
        earlyValues.removeAll { $0.path == characteristic.path }
    }

    private func deliver(_ value: [UInt8], of characteristic: Characteristic) {
        // Values also change by reads of other programs and of bluetoothd itself: those are nobody's business.
        guard subscriptions.contains(characteristic.path) else { return }
        emit(.value(value, of: characteristic))
    }
}

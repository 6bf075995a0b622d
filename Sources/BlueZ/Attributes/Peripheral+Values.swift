internal import Bluetooth
internal import DBus
internal import EventLoop

extension Peripheral {
    /// Reads a characteristic's value; bluetoothd fetches a long one in as many pieces as it takes.
    ///
    /// - Throws: `CentralError`, with the ATT error where the peripheral refused.
    package func readValue(of characteristic: Characteristic) async throws(CentralError) -> [UInt8] {
        if isBattery(characteristic), let batteryLevel { return [batteryLevel] }
        heldValues[characteristic.path, default: HeldValues()].readers += 1
        defer { release(characteristic) }
        let reply = try await perform(
            "ReadValue", on: BlueZName.gattCharacteristic, at: characteristic.path, [.properties([:])],
            of: name(of: characteristic), doing: "read")
        guard let value = reply.first?.bytes else {
            throw CentralError(.failed, name(of: characteristic), "read: bluetoothd answered without a value")
        }
        // bluetoothd signals what it reads as if it were notified: that one is ours.
        heldValues[characteristic.path]?.dropEcho(of: value)
        return value
    }

    /// Hands on the notifications that came while a read was under way.
    private func release(_ characteristic: Characteristic) {
        guard var held = heldValues.removeValue(forKey: characteristic.path) else { return }
        let values = held.takeNotified()
        held.readers -= 1
        if held.readers > 0 { heldValues[characteristic.path] = held }
        for value in values { deliver(value, of: characteristic) }
    }

    /// Hands on what came during reads that will not be answered.
    func releaseHeldValues() {
        let held = heldValues
        heldValues = [:]
        for (path, var held) in held {
            guard let characteristic = subscriptions[path]?.characteristic else { continue }
            for value in held.takeNotified() { deliver(value, of: characteristic) }
        }
    }

    /// Writes a characteristic's value.
    ///
    /// - Throws: `CentralError`, with the ATT error where the peripheral refused; `notSupported` for a reliable write where
    ///   the characteristic's extended properties have none.
    package func writeValue(
        _ value: [UInt8], of characteristic: Characteristic, _ type: WriteType
    ) async throws(CentralError) {
        guard type != .reliable || characteristic.properties.contains(.reliableWrite) else {
            throw CentralError(.notSupported, name(of: characteristic), "write: it has no reliable writes")
        }
        // Without a type bluetoothd would choose one by the characteristic's flags.
        let options: [String: Variant] = ["type": .string(type.rawValue)]
        let start = type == .withoutResponse ? pacer.next(at: loop.now) : loop.now
        _ = try await perform(
            "WriteValue", on: BlueZName.gattCharacteristic, at: characteristic.path,
            [.bytes(value), .properties(options)], of: name(of: characteristic), doing: "write", from: start)
    }

    func name(of characteristic: Characteristic) -> String {
        "\(address)/\(characteristic.service)/\(characteristic.uuid)"
    }
}

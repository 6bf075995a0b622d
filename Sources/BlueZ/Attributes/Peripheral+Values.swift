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
    /// - Throws: `CentralError`, with the ATT error where the peripheral refused; `notSupported` for a write that the
    ///   characteristic's properties do not have, where the peripheral itself would not say so.
    package func writeValue(
        _ value: [UInt8], of characteristic: Characteristic, _ type: WriteType
    ) async throws(CentralError) {
        try checkType(type, of: characteristic)
        // Without a type bluetoothd would choose one by the characteristic's flags.
        let options: [String: Variant] = ["type": .string(type.rawValue)]
        let start = type == .withoutResponse ? pacer.next(at: loop.now) : loop.now
        _ = try await perform(
            "WriteValue", on: BlueZName.gattCharacteristic, at: characteristic.path,
            [.bytes(value), .properties(options)], of: name(of: characteristic), doing: "write",
            ifLost: Self.doubt, from: start)
    }

    /// What a write is that was not answered.
    static let doubt = "; it may or may not have been written"

    /// bluetoothd sends what it is told to send (src/gatt-client.c, characteristic_write_value), and a peripheral passes
    /// over a command that it does not take: nobody would hear of it. A request it answers itself.
    private func checkType(_ type: WriteType, of characteristic: Characteristic) throws(CentralError) {
        let obstacle: String
        switch type {
        case .withResponse: return
        case .withoutResponse:
            if characteristic.properties.canWriteWithoutResponse { return }
            obstacle = "it takes no writes without a response: write with one"
        case .reliable:
            if characteristic.properties.contains(.reliableWrite) { return }
            obstacle = "it has no reliable writes"
        }
        throw CentralError(.notSupported, name(of: characteristic), "write: \(obstacle)")
    }

    func name(of characteristic: Characteristic) -> String {
        "\(address)/\(characteristic.service)/\(characteristic.uuid)"
    }
}

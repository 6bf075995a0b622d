import Bluetooth
import DBus
import EventLoop
import System

/// Reads and writes.
extension Peripheral {
    /// Reads a characteristic's value; bluetoothd reads a long value in pieces.
    ///
    /// - Throws: `CentralError`, with the ATT error if the peripheral rejects the read.
    package func readValue(of characteristic: Characteristic) async throws(CentralError) -> [UInt8] {
        if isBattery(characteristic), let level = attributes.batteryLevel { return [level] }
        beginRead(of: characteristic)
        defer { endRead(of: characteristic) }
        let reply = try await perform(
            "ReadValue", on: BlueZName.gattCharacteristic, at: characteristic.path, [.properties([:])],
            of: name(of: characteristic), doing: "read")
        guard let value = reply.first?.bytes else {
            throw CentralError(.failed, name(of: characteristic), "read: bluetoothd's reply contains no value")
        }
        // bluetoothd also signals the result of a read, in the same way as a notified value.
        dropEcho(of: value, characteristic)
        return value
    }

    /// Writes a characteristic's value.
    ///
    /// - Throws: `CentralError`, with the ATT error if the peripheral rejects the write; `notSupported` if the
    ///   characteristic's properties do not include the type, and the peripheral would not report this error.
    package func writeValue(
        _ value: [UInt8], of characteristic: Characteristic, _ type: WriteType
    ) async throws(CentralError) {
        try checkType(type, of: characteristic)
        // Without a type, bluetoothd would choose the type by the characteristic's flags.
        let options: [String: Variant] = ["type": .string(type.rawValue)]
        let start = type == .withoutResponse ? operations.nextWrite() : loop.now
        _ = try await perform(
            "WriteValue", on: BlueZName.gattCharacteristic, at: characteristic.path,
            [.bytes(value), .properties(options)], of: name(of: characteristic), doing: "write",
            ifLost: Self.doubt, from: start)
    }

    /// Writes a value in pieces of one packet, in order, for a peripheral that cannot receive long values.
    ///
    /// Each piece is a write of its own, which bluetoothd does not split: the peripheral joins the pieces. The first piece
    /// that fails is the last one.
    ///
    /// - Returns: The number of bytes that were written, and the error of the piece after them; nil if there is none.
    package func writePieces(
        _ value: [UInt8], of characteristic: Characteristic, _ type: WriteType
    ) async -> (written: Int, error: CentralError?) {
        var written = 0
        repeat {
            let piece = Array(value[written...].prefix(characteristic.packetLength))
            do throws(CentralError) {
                try await writeValue(piece, of: characteristic, type)
            } catch {
                return (written, error)
            }
            written += piece.count
        } while written < value.count
        return (written, nil)
    }

    /// The addition to the error of a write without a reply.
    private static let doubt = "; it is unknown whether the value was written"

    /// Checks the type of a write.
    ///
    /// bluetoothd sends a write of any type (src/gatt-client.c, characteristic_write_value). If the peripheral does not
    /// support the type, it ignores a write without a response, but rejects a write with a response.
    private func checkType(_ type: WriteType, of characteristic: Characteristic) throws(CentralError) {
        let obstacle: String
        switch type {
        case .withResponse: return
        case .withoutResponse:
            if characteristic.properties.canWriteWithoutResponse { return }
            obstacle = "the characteristic supports no writes without a response: write with a response"
        case .reliable:
            if characteristic.properties.contains(.reliableWrite) { return }
            obstacle = "the characteristic supports no reliable writes"
        }
        throw CentralError(.notSupported, name(of: characteristic), "write: \(obstacle)")
    }

    func name(of characteristic: Characteristic) -> String {
        "\(address)/\(characteristic.service)/\(characteristic.uuid)"
    }

    // MARK: Descriptors

    /// Reads a descriptor's value.
    ///
    /// - Throws: `CentralError`, with the ATT error if the peripheral rejects the read.
    package func readValue(of descriptor: Descriptor) async throws(CentralError) -> [UInt8] {
        let reply = try await perform(
            "ReadValue", on: BlueZName.gattDescriptor, at: descriptor.path, [.properties([:])],
            of: name(of: descriptor), doing: "read")
        guard let value = reply.first?.bytes else {
            throw CentralError(.failed, name(of: descriptor), "read: bluetoothd's reply contains no value")
        }
        return value
    }

    private func name(of descriptor: Descriptor) -> String {
        "\(address)/\(descriptor.characteristic)/\(descriptor.uuid)"
    }

    // MARK: Battery

    /// Handles properties of `Battery1`.
    func batteryChanged(_ properties: [String: Variant]) {
        guard let percentage = properties["Percentage"]?.integer else { return }
        let value = UInt8(clamping: percentage)
        attributes.setBatteryLevel(value)
        checkConditions()
        if let characteristic = attributes.batteryCharacteristic(below: path) {
            deliver(ArrivedValue(bytes: [value], arrival: loop.now), of: characteristic)
        }
    }

    func batteryRemoved() {
        attributes.setBatteryLevel(nil)
    }

    /// Returns whether a characteristic represents `Battery1`.
    func isBattery(_ characteristic: Characteristic) -> Bool {
        characteristic.path == path.map(AttributeCache.batteryPath)
    }
}

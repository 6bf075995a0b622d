internal import Bluetooth
internal import DBus

extension Peripheral {
    /// Reads a descriptor's value.
    ///
    /// - Throws: `CentralError`, with the ATT error where the peripheral refused.
    package func readValue(of descriptor: Descriptor) async throws(CentralError) -> [UInt8] {
        let reply = try await perform(
            "ReadValue", on: BlueZName.gattDescriptor, at: descriptor.path, [.properties([:])],
            of: name(of: descriptor), doing: "read")
        guard let value = reply.first?.bytes else {
            throw CentralError(.failed, name(of: descriptor), "read: bluetoothd answered without a value")
        }
        return value
    }

    /// Writes a descriptor's value, with a response.
    ///
    /// - Throws: `CentralError`: `notSupported` for the one that subscribes, which belongs to bluetoothd.
    package func writeValue(_ value: [UInt8], of descriptor: Descriptor) async throws(CentralError) {
        guard descriptor.uuid != Descriptor.clientConfiguration else {
            throw CentralError(.notSupported, name(of: descriptor), "write: subscribe to the characteristic instead")
        }
        _ = try await perform(
            "WriteValue", on: BlueZName.gattDescriptor, at: descriptor.path, [.bytes(value), .properties([:])],
            of: name(of: descriptor), doing: "write", ifLost: Self.doubt)
    }

    private func name(of descriptor: Descriptor) -> String {
        "\(address)/\(descriptor.characteristic)/\(descriptor.uuid)"
    }
}

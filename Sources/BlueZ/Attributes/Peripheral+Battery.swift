internal import Bluetooth
internal import DBus
internal import EventLoop

/// The battery level where bluetoothd keeps the service to itself: it tells the level by `Battery1` then, and here that is
/// a service like any other.
extension Peripheral {
    private static let service = UUID(0x180F as UInt16)
    private static let level = UUID(0x2A19 as UInt16)
    /// bluetoothd reads the level itself, after the services are resolved.
    private static let patience = Duration.seconds(2)

    /// What `Battery1` says.
    func batteryChanged(_ properties: [String: Variant]) {
        guard let percentage = properties["Percentage"]?.integer else { return }
        let value = UInt8(clamping: percentage)
        batteryLevel = value
        settle()
        if let characteristic = characteristics.values.first(where: isBattery) {
            deliver([value], of: characteristic)
        }
    }

    func batteryRemoved() {
        batteryLevel = nil
    }

    /// Whether a characteristic stands for `Battery1`.
    func isBattery(_ characteristic: Characteristic) -> Bool {
        characteristic.path == batteryPath
    }

    private var batteryPath: String? {
        // Behind the device's path: no object of bluetoothd's has one like it.
        path.map { $0 + "/battery" }
    }

    /// The battery service, if it is wanted, and the peripheral has it, and it is not among those that were found.
    func hiddenBattery(_ wanted: [UUID]?, besides found: [Service]) async -> Service? {
        guard wanted?.contains(Self.service) ?? true, offersBattery, !found.contains(where: { $0.uuid == Self.service })
        else { return nil }
        _ = await wait(for: Self.patience) { $0.batteryLevel != nil || !$0.isConnected }
        guard batteryLevel != nil, let path = batteryPath else { return nil }
        let characteristic = Characteristic(
            uuid: Self.level, service: Self.service, properties: [.read, .notify], maximumTransmissionUnit: nil,
            descriptors: [], path: path)
        return Service(
            uuid: Self.service, isPrimary: true, includedServices: [], characteristics: [characteristic], path: path)
    }

    /// Takes note of the services that it says it has.
    func noteServices(_ properties: [String: Variant]) {
        guard let uuids = properties["UUIDs"]?.texts else { return }
        offersBattery = uuids.contains { UUID($0) == Self.service }
    }
}

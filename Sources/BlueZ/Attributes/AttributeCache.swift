import Bluetooth
import DBus
import EventLoop
import System

/// The services, characteristics and descriptors of a peripheral, as reported by bluetoothd and as discovered.
///
/// bluetoothd can omit the battery service, and report the level by `Battery1` instead. `AttributeCache` then
/// provides a battery service in its place.
final class AttributeCache {
    static let batteryService = UUID(0x180F as UInt16)
    private static let batteryLevel = UUID(0x2A19 as UInt16)

    /// The minimum time between the last change of the services and the next discovery.
    ///
    /// bluetoothd removes the old services and adds the new services one by one. With bluetoothd 5.66, the first new
    /// service appeared 0.5 s after the removal (measured).
    static let quietTime = Duration.seconds(1)

    private var tree = AttributeTree()
    /// Whether attributes were ignored because there were too many.
    private var isIncomplete = false
    /// The discovered characteristics, by object path.
    private var characteristics = PathTable<Characteristic>()
    /// When the services last changed during the connection; nil: not since the last discovery.
    private(set) var lastChange: Instant?
    /// Whether the battery service is among the UUIDs that bluetoothd reports for the peripheral.
    private var hasBattery = false
    /// The battery level that bluetoothd reports, in percent; nil: not reported.
    private(set) var batteryLevel: UInt8?

    // MARK: Objects

    /// Whether bluetoothd has reported no services, characteristics and descriptors.
    var isEmpty: Bool { tree.isEmpty }
    /// Whether the peripheral offers more attributes than are supported.
    var exceedsLimit: Bool { isIncomplete || tree.count > AttributeTree.maximumCount }
    /// The object path of an arbitrary characteristic; nil: there is none.
    var anyCharacteristic: String? { tree.anyCharacteristic }

    /// Adds an attribute; ignores it if there are too many.
    func add(_ interfaces: [String: Variant], at path: String) {
        if exceedsLimit {
            isIncomplete = true
        } else {
            tree.add(interfaces, at: path)
        }
    }

    func remove(_ path: String) {
        tree.remove(path)
        // bluetoothd removes the ignored attributes too.
        if tree.isEmpty { isIncomplete = false }
    }

    /// Drops all objects and the battery level, because the chosen adapter has changed or has no object for the
    /// peripheral.
    func removeObjects() {
        batteryLevel = nil
        tree = AttributeTree()
        isIncomplete = false
    }

    // MARK: Changes

    func noteChange(at now: Instant) {
        lastChange = now
    }

    func clearChange() {
        lastChange = nil
    }

    // MARK: Discovery

    /// Whether services have been discovered.
    var isDiscovered: Bool { !characteristics.isEmpty }

    func services(_ wanted: [UUID]?, mtu: Int?) -> [Service] {
        tree.services(wanted, mtu: mtu)
    }

    func setDiscovered(_ services: [Service]) {
        characteristics = PathTable()
        for characteristic in services.flatMap(\.characteristics) {
            characteristics[characteristic.path] = characteristic
        }
    }

    func removeDiscovered() {
        characteristics = PathTable()
    }

    func isDiscovered(_ characteristic: Characteristic) -> Bool {
        characteristics[characteristic.path] != nil
    }

    // MARK: Battery

    /// Updates `hasBattery` from the UUIDs that bluetoothd reports; nil: not reported, no change.
    func noteServices(_ services: [UUID]?) {
        if let services { hasBattery = services.contains(Self.batteryService) }
    }

    func setBatteryLevel(_ level: UInt8?) {
        batteryLevel = level
    }

    /// Returns whether the battery service is wanted, and the peripheral has it, but bluetoothd does not list it.
    func hidesBattery(_ wanted: [UUID]?, besides found: [Service]) -> Bool {
        wanted?.contains(Self.batteryService) ?? true && hasBattery
            && !found.contains { $0.uuid == Self.batteryService }
    }

    /// Returns the path of the battery service that represents `Battery1` of a device; no object of bluetoothd has this
    /// path.
    static func batteryPath(below device: String) -> String {
        device + "/battery"
    }

    /// Returns the battery service that represents `Battery1` of a device.
    static func battery(of device: String) -> Service {
        let path = batteryPath(below: device)
        let characteristic = Characteristic(
            uuid: batteryLevel, service: batteryService, properties: [.read, .notify], maximumTransmissionUnit: nil,
            descriptors: [], path: path)
        return Service(
            uuid: batteryService, isPrimary: true, includedServices: [], characteristics: [characteristic], path: path)
    }

    /// Returns the characteristic that represents `Battery1` of a device; nil: it has not been discovered.
    func batteryCharacteristic(below device: String?) -> Characteristic? {
        device.flatMap { characteristics[Self.batteryPath(below: $0)] }
    }
}

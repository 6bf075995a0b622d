import Bluetooth
import DBus
import EventLoop
import System

/// The services, characteristics and descriptors of a peripheral, as bluetoothd reports and the caller discovers them.
///
/// bluetoothd keeps the battery service to itself and reports the level by `Battery1`. Here it is a service like others.
final class AttributeCache {
    static let batteryService = UUID(0x180F as UInt16)
    private static let batteryLevel = UUID(0x2A19 as UInt16)

    /// How long the services must not have changed before they are looked up again.
    ///
    /// bluetoothd removes the old services and discovers the new ones one by one. With 5.66, the first new service was
    /// measured 0.5 s later.
    static let quietTime = Duration.seconds(1)

    private var tree = AttributeTree()
    /// The discovered characteristics, by the path of their object.
    private var characteristics = PathTable<Characteristic>()
    /// When the services changed during a connection, until they are discovered again.
    private(set) var lastChange: Instant?
    /// Whether the peripheral says that it has a battery service.
    private var hasBattery = false
    /// The battery level that bluetoothd reports, in percent.
    private(set) var batteryLevel: UInt8?

    // MARK: Objects

    /// Whether there is no service at all.
    var isEmpty: Bool { tree.isEmpty }
    /// The path of any characteristic.
    var anyCharacteristic: String? { tree.anyCharacteristic }

    func add(_ interfaces: [String: Variant], at path: String) {
        tree.add(interfaces, at: path)
    }

    func remove(_ path: String) {
        tree.remove(path)
    }

    /// Drops all objects, because those of another adapter count now, or none.
    func removeObjects() {
        batteryLevel = nil
        tree = AttributeTree()
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

    /// Notes the services that the peripheral says it has.
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

    /// Returns the path that stands for the battery level below a device; no object of bluetoothd has such a path.
    static func batteryPath(below device: String) -> String {
        device + "/battery"
    }

    /// Returns the battery service of a device.
    static func battery(of device: String) -> Service {
        let path = batteryPath(below: device)
        let characteristic = Characteristic(
            uuid: batteryLevel, service: batteryService, properties: [.read, .notify], maximumTransmissionUnit: nil,
            descriptors: [], path: path)
        return Service(
            uuid: batteryService, isPrimary: true, includedServices: [], characteristics: [characteristic], path: path)
    }

    /// The discovered characteristic that stands for `Battery1`.
    func batteryCharacteristic(below device: String?) -> Characteristic? {
        device.flatMap { characteristics[Self.batteryPath(below: $0)] }
    }
}

import Bluetooth
import DBus

/// A characteristic: `…/service000e/char000f`.
final class CharacteristicObject: ExportedObject {
    let attribute: PeripheralCharacteristic
    unowned let service: ServiceObject
    let path: String
    private(set) var descriptors: [DescriptorObject] = []
    /// What was read or notified last; it outlives the link.
    var value: [UInt8] = []
    var isNotifying = false
    /// The clients that have called StartNotify; they are remembered from link to link.
    var subscribers: [String] = []
    /// Reads with the same offset are one on the air.
    var reads: [Call] = []
    var readOffset = 0
    var isWriting = false
    /// The call of AcquireNotify that has no socket yet.
    var acquisition: Acquisition?
    var notifySocket: ClientSocket?
    var writeSocket: ClientSocket?

    init(_ attribute: PeripheralCharacteristic, of service: ServiceObject) {
        self.attribute = attribute
        self.service = service
        path = "\(service.path)/char\(attribute.handle.fourDigits)"
        descriptors = attribute.descriptors.map { DescriptorObject($0, of: self) }
    }

    var device: DeviceObject { service.device }
    var peripheral: Peripheral { device.peripheral }
    var properties: CharacteristicProperties { attribute.model.properties }

    var interfaces: [any ExportedInterface] { [Interface(Self.table, of: self)] }

    static let table = InterfaceTable<CharacteristicObject>(
        "org.bluez.GattCharacteristic1",
        properties: [
            .init("UUID", "s") { .string($0.attribute.uuid.fullDescription) },
            .init("Service", "o") { .objectPath($0.service.path) },
            .init("Value", "ay") { .bytes($0.value) },
            .init("Notifying", "b") { $0.properties.canSubscribe ? .boolean($0.isNotifying) : nil },
            .init("Flags", "as") { .strings($0.properties.flags) },
            .init("WriteAcquired", "b") {
                $0.properties.contains(.writeWithoutResponse) ? .boolean($0.writeSocket != nil) : nil
            },
            .init("NotifyAcquired", "b") { $0.properties.contains(.notify) ? .boolean($0.isNotifyAcquired) : nil },
            .init("MTU", "q") { $0.device.isConnected ? .uint16($0.peripheral.model.mtu) : nil },
            .init("Handle", "q") { $0.device.shown($0.attribute.handle) },
        ],
        methods: [
            .init("ReadValue", takes: "a{sv}", gives: "ay") { object, call throws(DBusError) in
                try object.read(call)
            },
            .init("WriteValue", takes: "aya{sv}") { object, call throws(DBusError) in try object.write(call) },
            .init("AcquireWrite", takes: "a{sv}", gives: "hq") { object, call throws(DBusError) in
                try object.acquireWrite(call)
            },
            .init("AcquireNotify", takes: "a{sv}", gives: "hq") { object, call throws(DBusError) in
                try object.acquireNotify(call)
            },
            .init("StartNotify") { object, call throws(DBusError) in try object.startNotify(call) },
            .init("StopNotify") { object, call throws(DBusError) in try object.stopNotify(call) },
        ])

    func changed(_ property: String) {
        device.tree.changed(property, of: Self.table.name, at: self)
    }

    /// A value has come: it is signalled at once, whether it was asked for or not, and whether it is new or not.
    func show(_ bytes: [UInt8]) {
        value = bytes
        device.tree.emit("Value", of: Self.table.name, at: self)
    }

    /// The link is gone; subscriptions stay in mind, sockets are closed.
    func linkLost() {
        reads = []
        isWriting = false
        acquisition = nil
        releaseSockets()
    }

    /// Values do not go through sockets any more; what is on the air stays there.
    func releaseSockets() {
        releaseNotify()
        releaseWrite()
    }
}

import Bluetooth
import DBus

/// The D-Bus object of a characteristic, for example `…/service000e/char000f`.
final class CharacteristicObject: ExportedObject {
    let attribute: PeripheralCharacteristic
    unowned let service: ServiceObject
    let path: String
    private(set) var descriptors: [DescriptorObject] = []
    private(set) lazy var subscription = CharacteristicSubscription(of: self)
    private(set) lazy var requests = CharacteristicRequests(of: self)
    private(set) lazy var sockets = CharacteristicSockets(of: self)
    /// The value that was read or notified last; kept after the end of the connection.
    private var value: [UInt8] = []

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
            .init("Notifying", "b") { $0.properties.canSubscribe ? .boolean($0.subscription.isNotifying) : nil },
            .init("Flags", "as") { .strings($0.properties.flags) },
            .init("WriteAcquired", "b") {
                $0.properties.contains(.writeWithoutResponse) ? .boolean($0.sockets.isWriteAcquired) : nil
            },
            .init("NotifyAcquired", "b") {
                $0.properties.contains(.notify) ? .boolean($0.sockets.isNotifyAcquired) : nil
            },
            .init("MTU", "q") { $0.device.link.isConnected ? .uint16($0.peripheral.model.mtu) : nil },
            .init("Handle", "q") { $0.device.shown($0.attribute.handle) },
        ],
        methods: [
            .init("ReadValue", takes: "a{sv}", gives: "ay") { object, call throws(DBusError) in
                try object.requests.read(call)
            },
            .init("WriteValue", takes: "aya{sv}") { object, call throws(DBusError) in try object.requests.write(call) },
            .init("AcquireWrite", takes: "a{sv}", gives: "hq") { object, call throws(DBusError) in
                try object.sockets.acquireWrite(call)
            },
            .init("AcquireNotify", takes: "a{sv}", gives: "hq") { object, call throws(DBusError) in
                try object.sockets.acquireNotify(call)
            },
            .init("StartNotify") { object, call throws(DBusError) in try object.subscription.startNotify(call) },
            .init("StopNotify") { object, call throws(DBusError) in try object.subscription.stopNotify(call) },
        ])

    func changed(_ property: String) {
        device.tree.changed(property, of: Self.table.name, at: self)
    }

    /// Signals a value that was read or notified, even if it equals the previous value.
    func show(_ bytes: [UInt8]) {
        value = bytes
        device.tree.emit("Value", of: Self.table.name, at: self)
    }

    /// Handles a value that the peripheral has sent.
    func notified(_ bytes: [UInt8]) {
        if !sockets.send(bytes), subscription.isNotifying { show(bytes) }
    }

    /// Handles the end of the connection: closes the sockets, and keeps the subscriptions.
    func linkLost() {
        requests.linkLost()
        sockets.linkLost()
    }
}

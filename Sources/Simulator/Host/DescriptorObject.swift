import Bluetooth
import DBus

/// The D-Bus object of a descriptor, for example `…/char000f/desc0011`.
final class DescriptorObject: ExportedObject {
    let descriptor: PeripheralDescriptor
    unowned let characteristic: CharacteristicObject
    let path: String
    private var value: [UInt8] = []

    init(_ descriptor: PeripheralDescriptor, of characteristic: CharacteristicObject) {
        self.descriptor = descriptor
        self.characteristic = characteristic
        path = "\(characteristic.path)/desc\(descriptor.handle.fourDigits)"
    }

    private var device: DeviceObject { characteristic.device }

    var interfaces: [any ExportedInterface] { [Interface(Self.table, of: self)] }

    private static let table = InterfaceTable<DescriptorObject>(
        "org.bluez.GattDescriptor1",
        properties: [
            .init("UUID", "s") { .string($0.descriptor.uuid.fullDescription) },
            .init("Characteristic", "o") { .objectPath($0.characteristic.path) },
            .init("Value", "ay") { .bytes($0.value) },
            .init("Handle", "q") { $0.device.shown($0.descriptor.handle) },
        ],
        methods: [
            .init("ReadValue", takes: "a{sv}", gives: "ay") { object, call throws(DBusError) in
                try object.read(call)
            },
            .init("WriteValue", takes: "aya{sv}") { object, call throws(DBusError) in try object.write(call) },
        ])

    private func read(_ call: Call) throws(DBusError) {
        guard device.link.isConnected else { throw BlueZError.linkMissing }
        let offset = try call.attributeOptions().offset
        try device.requests.start(taking: device.peripheral.model.pace.read, for: call) { [weak self] in
            guard let self else { return }
            do throws(ATTError) {
                let bytes = try device.peripheral.read(descriptor, offset: offset, by: call.client)
                value = bytes
                device.tree.emit("Value", of: Self.table.name, at: self)
                call.reply(.bytes(bytes))
            } catch {
                call.fail(DBusError(error))
            }
        }
    }

    private func write(_ call: Call) throws(DBusError) {
        guard device.link.isConnected else { throw BlueZError.linkMissing }
        _ = try call.attributeOptions()
        guard descriptor.uuid != PeripheralDescriptor.configuration else {
            throw BlueZError.notPermitted("Write not permitted")
        }
        let bytes = call.arguments[0].bytes ?? []
        try device.requests.start(taking: device.peripheral.model.pace.write, for: call) { [weak self] in
            guard let self else { return }
            do throws(ATTError) {
                try device.peripheral.write(bytes, to: descriptor, by: call.client)
                call.reply()
            } catch {
                call.fail(DBusError(error))
            }
        }
    }
}

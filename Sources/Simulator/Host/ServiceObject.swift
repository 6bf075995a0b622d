import Bluetooth
import DBus

/// The D-Bus object of a service, for example `…/service000e`.
final class ServiceObject: ExportedObject {
    let service: PeripheralService
    unowned let device: DeviceObject
    let path: String
    private(set) var characteristics: [CharacteristicObject] = []

    init(_ service: PeripheralService, of device: DeviceObject) {
        self.service = service
        self.device = device
        path = Self.path(of: service, at: device)
        characteristics = service.characteristics.map { CharacteristicObject($0, of: self) }
    }

    private static func path(of service: PeripheralService, at device: DeviceObject) -> String {
        "\(device.path)/service\(service.handle.fourDigits)"
    }

    var interfaces: [any ExportedInterface] { [Interface(Self.table, of: self)] }

    /// Removes the included services.
    ///
    /// - Returns: Whether there were included services.
    func removeIncludes() -> Bool {
        defer { service.include([]) }
        return !service.includes.isEmpty
    }

    static let name = "org.bluez.GattService1"

    private static let table = InterfaceTable<ServiceObject>(
        name,
        properties: [
            .init("UUID", "s") { .string($0.service.uuid.fullDescription) },
            .init("Device", "o") { .objectPath($0.device.path) },
            .init("Primary", "b") { .boolean($0.service.isPrimary) },
            .init("Includes", "ao") { object in
                .objectPaths(object.service.includes.map { path(of: $0, at: object.device) })
            },
            .init("Handle", "q") { $0.device.shown($0.service.handle) },
        ])
}

extension DeviceObject {
    /// Returns the value of the property `Handle`; nil for versions of bluetoothd without this property.
    func shown(_ handle: UInt16) -> Variant? {
        host.fleet.version.showsHandles ? .uint16(handle) : nil
    }
}

extension UInt16 {
    /// The number in four hexadecimal digits, the form of handles in bluetoothd's object paths.
    var fourDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
}

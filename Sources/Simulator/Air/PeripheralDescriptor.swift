import Bluetooth

/// A descriptor in a peripheral's attribute database.
final class PeripheralDescriptor {
    let uuid: UUID
    let handle: UInt16
    private(set) var value: [UInt8]

    /// Client Characteristic Configuration, which enables notifications and indications.
    static let configuration = UUID(0x2902 as UInt16)

    init(_ uuid: UUID, handle: UInt16, _ value: [UInt8]) {
        self.uuid = uuid
        self.handle = handle
        self.value = value
    }

    func store(_ bytes: [UInt8]) {
        value = bytes
    }
}

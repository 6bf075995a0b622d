import Bluetooth

/// A service in a peripheral's database.
final class PeripheralService {
    let uuid: UUID
    let handle: UInt16
    let isPrimary: Bool
    var includes: [PeripheralService] = []
    let characteristics: [PeripheralCharacteristic]

    init(_ uuid: UUID, handle: UInt16, isPrimary: Bool = true, _ characteristics: [PeripheralCharacteristic]) {
        self.uuid = uuid
        self.handle = handle
        self.isPrimary = isPrimary
        self.characteristics = characteristics
    }
}

/// A descriptor in a peripheral's database.
final class PeripheralDescriptor {
    let uuid: UUID
    let handle: UInt16
    var value: [UInt8]

    /// The one that subscribes: Client Characteristic Configuration.
    static let configuration = UUID(0x2902 as UInt16)

    init(_ uuid: UUID, handle: UInt16, _ value: [UInt8]) {
        self.uuid = uuid
        self.handle = handle
        self.value = value
    }
}

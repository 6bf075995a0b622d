import Bluetooth

/// A service in a peripheral's attribute database.
final class PeripheralService {
    let uuid: UUID
    let handle: UInt16
    let isPrimary: Bool
    private(set) var includes: [PeripheralService] = []
    let characteristics: [PeripheralCharacteristic]

    init(_ uuid: UUID, handle: UInt16, isPrimary: Bool = true, _ characteristics: [PeripheralCharacteristic]) {
        self.uuid = uuid
        self.handle = handle
        self.isPrimary = isPrimary
        self.characteristics = characteristics
    }

    func include(_ services: [PeripheralService]) {
        includes = services
    }
}

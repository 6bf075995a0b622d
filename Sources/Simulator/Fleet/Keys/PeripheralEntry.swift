import Bluetooth

/// A peripheral in a fleet file, with its number of copies.
struct PeripheralEntry: Sendable {
    var model: SimulatedFleet.Peripheral
    var copies: Int

    /// The copies of the peripheral, with consecutive addresses and numbered names.
    var peripherals: [SimulatedFleet.Peripheral] {
        if copies == 1 { return [model] }
        return (0..<copies).map { index in
            var copy = model
            copy.name += "-\(index + 1)"
            copy.address = Address(model.address.value + UInt64(index))
            copy.identity = model.identity.map { Address($0.value + UInt64(index)) }
            copy.localName = model.localName.map { "\($0) \(index + 1)" }
            copy.deviceName += " \(index + 1)"
            return copy
        }
    }
}

import Bluetooth
import EventLoop
import System

/// The radio medium: all peripherals, and the adapters that scan.
final class Air {
    let loop: EventLoop
    /// The moment at which the simulation started.
    let start: Instant
    private(set) var peripherals: [Peripheral] = []
    private var receivers: [any Receiver] = []

    init(_ fleet: SimulatedFleet, loop: EventLoop) {
        self.loop = loop
        start = loop.now
        let adapters = Set(fleet.adapters.map(\.address))
        for (index, model) in fleet.peripherals.enumerated() {
            let bonds = model.isBonded ? adapters : []
            peripherals.append(Peripheral(model, bonds: bonds, seed: fleet.seed &+ UInt64(index), in: self))
        }
    }

    /// The time since the simulation started.
    var elapsed: Duration { loop.now - start }

    /// Returns the peripheral with this name in the fleet file, or with this address.
    func peripheral(_ name: String) -> Peripheral? {
        peripherals.first { $0.model.name == name } ?? Address(name).flatMap(peripheral)
    }

    /// Returns the peripheral whose current address or identity address is this address.
    func peripheral(_ address: Address) -> Peripheral? {
        peripherals.first { $0.address == address || $0.model.identity == address }
    }

    /// Adds or removes an adapter that scans.
    func listening(_ receiver: any Receiver, _ isListening: Bool) {
        receivers.removeAll { $0 === receiver }
        if isListening { receivers.append(receiver) }
        for peripheral in peripherals { peripheral.updateAdvertising() }
    }

    /// Returns the scanning adapters that are in range of the peripheral.
    func receivers(of peripheral: Peripheral) -> [any Receiver] {
        receivers.filter { peripheral.isInRange(of: $0.adapterName) }
    }
}

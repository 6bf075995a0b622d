import Bluetooth
import EventLoop

/// The space between peripherals and adapters: who is there, and who hears whom.
final class Air {
    let loop: EventLoop
    let start: Instant
    private(set) var peripherals: [Peripheral] = []
    private var receivers: [any Receiver] = []

    init(_ fleet: Fleet, loop: EventLoop) {
        self.loop = loop
        start = loop.now
        let adapters = Set(fleet.adapters.map(\.address))
        for (index, model) in fleet.peripherals.enumerated() {
            let bonds = model.isBonded ? adapters : []
            peripherals.append(Peripheral(model, bonds: bonds, seed: fleet.seed &+ UInt64(index), in: self))
        }
    }

    /// The time since the simulation began.
    var elapsed: Duration { loop.now - start }

    /// The peripheral that the fleet's file calls so, or that has this address.
    func peripheral(_ name: String) -> Peripheral? {
        peripherals.first { $0.model.name == name } ?? Address(name).flatMap(peripheral)
    }

    /// The peripheral that has this address now, or as its identity.
    func peripheral(_ address: Address) -> Peripheral? {
        peripherals.first { $0.address == address || $0.model.identity == address }
    }

    /// An adapter has begun or ended to listen.
    func listening(_ receiver: any Receiver, _ isListening: Bool) {
        receivers.removeAll { $0 === receiver }
        if isListening { receivers.append(receiver) }
        for peripheral in peripherals { peripheral.updateAdvertising() }
    }

    /// The adapters that listen and are near enough to hear the peripheral.
    func receivers(of peripheral: Peripheral) -> [any Receiver] {
        receivers.filter { peripheral.isHeard(by: $0.adapterName) }
    }
}

/// What listens for advertisements.
protocol Receiver: AnyObject {
    var adapterName: String { get }
    func received(_ packet: Packet, from peripheral: Peripheral)
}

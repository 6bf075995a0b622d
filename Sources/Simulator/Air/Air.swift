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
    /// The adapters of the fleet.
    private let adapters: [SimulatedFleet.Adapter]
    /// The advertisements that adapters send, each as a peripheral without services.
    private var senders: [Peripheral] = []

    init(_ fleet: SimulatedFleet, loop: EventLoop) {
        self.loop = loop
        start = loop.now
        adapters = fleet.adapters
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
        for peripheral in peripherals + senders { peripheral.updateAdvertising() }
    }

    /// Returns the scanning adapters that are in range of the peripheral.
    func receivers(of peripheral: Peripheral) -> [any Receiver] {
        receivers.filter { peripheral.isInRange(of: $0.adapterName) }
    }

    // MARK: Advertisements of adapters

    /// Sends the advertisements of an adapter to the other adapters of the fleet.
    ///
    /// - Returns: The sender, for later changes.
    func send(
        _ advertising: SimulatedFleet.Advertising, named name: String?, from adapter: SimulatedFleet.Adapter, isOn: Bool
    ) -> Peripheral {
        var advertising = advertising
        advertising.isOn = isOn
        let others = adapters.map(\.name).filter { $0 != adapter.name }
        let sender = Peripheral(.sender(advertising, name, adapter, receivedBy: others), bonds: [], seed: 0, in: self)
        senders.append(sender)
        sender.updateAdvertising()
        return sender
    }

    func endSending(_ sender: Peripheral) {
        sender.switchAdvertising(on: false)
        senders.removeAll { $0 === sender }
    }
}

extension SimulatedFleet.Peripheral {
    fileprivate static func sender(
        _ advertising: SimulatedFleet.Advertising, _ name: String?, _ adapter: SimulatedFleet.Adapter,
        receivedBy others: [String]
    ) -> Self {
        Self(
            name: adapter.name, address: adapter.address, kind: .public, identity: nil, localName: name,
            deviceName: name ?? adapter.name, appearance: nil, adapters: others, advertising: advertising,
            pairing: .justWorks, isBonded: false, mtu: 517,
            pace: Pace(
                connect: .zero, resolve: .zero, read: .zero, write: .zero, subscribe: .zero, disconnect: .zero,
                pair: .zero, connectTimeout: .zero, idle: nil),
            services: [], faults: [])
    }
}

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
    private let propagation: Propagation
    /// The positions of the hosts, by name; empty in a fleet without `hosts`.
    private var positions: [String: SimulatedFleet.Point] = [:]
    /// The advertisements that adapters send, each as a peripheral without services.
    private var senders: [Peripheral] = []

    init(_ fleet: SimulatedFleet, loop: EventLoop) {
        self.loop = loop
        start = loop.now
        adapters = fleet.adapters
        propagation = Propagation(seed: fleet.seed)
        for machine in fleet.machines { if let name = machine.name { positions[name] = machine.position } }
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

    /// Calls `body` for each scanning adapter that is in range of the peripheral, with the received strength in dBm.
    func forEachReceiver(of peripheral: Peripheral, _ body: (any Receiver, Int16) -> Void) {
        for receiver in receivers {
            if let strength = peripheral.strength(at: receiver.adapterModel) { body(receiver, strength) }
        }
    }

    /// Whether a scanning adapter is in range of the peripheral.
    func hasReceiver(of peripheral: Peripheral) -> Bool {
        receivers.contains { peripheral.strength(at: $0.adapterModel) != nil }
    }

    // MARK: Positions

    /// Returns the strength at which an adapter receives a peripheral at this position, in dBm; nil if it is out of range.
    func strength(
        of peripheral: SimulatedFleet.Peripheral, from position: SimulatedFleet.Point,
        at adapter: SimulatedFleet.Adapter
    ) -> Int16? {
        let host = adapter.host ?? ""
        return propagation.strength(
            at: peripheral.advertising.rssi, of: (peripheral.name, position), at: (host, positions[host] ?? .origin))
    }

    /// Moves a host with its adapters.
    func move(host: String, to position: SimulatedFleet.Point) {
        positions[host] = position
        for adapter in adapters where adapter.host == host {
            for sender in senders where sender.model.address == adapter.address { sender.move(to: position) }
        }
        for peripheral in peripherals + senders { peripheral.rangeChanged() }
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
        let others = adapters.map(\.fullName).filter { $0 != adapter.fullName }
        let position = adapter.host.flatMap { positions[$0] }
        let sender = Peripheral(
            .sender(advertising, name, adapter, at: position, receivedBy: others), bonds: [], seed: 0, in: self)
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
        at position: SimulatedFleet.Point?, receivedBy others: [String]
    ) -> Self {
        Self(
            name: adapter.fullName, address: adapter.address, kind: .public, identity: nil, localName: name,
            deviceName: name ?? adapter.name, appearance: nil, position: position, adapters: others,
            advertising: advertising, pairing: .justWorks, isBonded: false, mtu: 517,
            pace: Pace(
                connect: .zero, resolve: .zero, read: .zero, write: .zero, subscribe: .zero, disconnect: .zero,
                pair: .zero, connectTimeout: .zero, idle: nil),
            services: [], faults: [])
    }
}

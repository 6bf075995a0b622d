import Bluetooth
import DBus
import EventLoop
import System

/// A simulated peripheral: its attributes, connection, advertisements and recorded events.
final class Peripheral {
    private(set) var model: SimulatedFleet.Peripheral
    unowned let air: Air
    let faults: FaultPlan
    /// The addresses of the adapters with which the peripheral has a bond.
    private(set) var bonds: Set<Address>
    /// The received signal strengths in dBm, by full name of the adapter; at other adapters they follow from the position.
    private var strengths: [String: Int16]
    /// The position; nil: all other adapters receive the strength of the fleet file.
    private var position: SimulatedFleet.Point?
    /// The error of the next calls of Connect, and the number of calls that fail; nil if none is planned to fail.
    private var connectError: (error: DBusError, times: Int)?
    private let seed: UInt64
    /// The random numbers of advertising, addresses and passkeys.
    private var generator: SeededGenerator
    private(set) var services: [PeripheralService]
    /// The number of times that the attributes have moved to other handles.
    private var revision = 0
    private(set) weak var link: (any Link)?
    /// The current address, which the advertisements contain.
    private(set) var address: Address
    /// Whether the peripheral advertises while it is not connected.
    private(set) var isOn: Bool
    private(set) var events: [PeripheralEvent] = []
    /// Connection attempts that start as soon as the peripheral accepts a connection.
    private var waiting: [Waiter] = []
    private var advertising: Timer?
    private var packets = 0
    private var idle: Timer?
    private var lastRequest: Instant

    /// The maximum number of stored events; at the limit, the oldest tenth is dropped.
    private static let eventLimit = 10_000
    /// The maximum length of an attribute's value, in bytes.
    static let valueLimit = 512

    /// - Parameters:
    ///   - model: The peripheral in the fleet.
    ///   - bonds: The addresses of the adapters with which the peripheral has a bond from the start.
    ///   - seed: The seed of random values.
    ///   - air: The radio medium.
    init(_ model: SimulatedFleet.Peripheral, bonds: Set<Address>, seed: UInt64, in air: Air) {
        self.model = model
        self.air = air
        self.bonds = bonds
        address = model.address
        strengths = model.advertising.strengths
        position = model.position
        faults = FaultPlan(model.faults)
        generator = SeededGenerator(seed: seed)
        self.seed = seed
        services = AttributeDatabase.services(of: model, revision: 0, seed: seed)
        isOn = model.advertising.isOn
        lastRequest = air.start
    }

    // MARK: Range

    /// Returns the mean strength at which an adapter receives the peripheral, in dBm; nil if it is out of range.
    func strength(at adapter: SimulatedFleet.Adapter) -> Int16? {
        guard model.adapters?.contains(adapter.fullName) ?? true else { return nil }
        if let strength = strengths[adapter.fullName] { return strength }
        return position.map { air.strength(of: model, from: $0, at: adapter) } ?? model.advertising.rssi
    }

    /// Sets the signal strength at which an adapter receives the peripheral from now on, in dBm.
    func setStrength(_ rssi: Int16, at adapter: String) {
        strengths[adapter] = rssi
        rangeChanged()
    }

    func move(to position: SimulatedFleet.Point) {
        self.position = position
        rangeChanged()
    }

    /// Handles a move of the peripheral or of a host: a connection ends if its adapter is out of range.
    func rangeChanged() {
        if let link, strength(at: link.adapterModel) == nil { drop() }
        updateAdvertising()
        startWaiting()
    }

    // MARK: Bonds

    func bond(with adapter: Address) {
        bonds.insert(adapter)
    }

    func forgetBonds() {
        bonds = []
    }

    func randomPasskey() -> UInt32 {
        UInt32.random(in: 0...999_999, using: &generator)
    }

    // MARK: Advertising

    /// Whether the peripheral accepts a connection now: it has at most one, over all hosts.
    private var accepts: Bool { isOn && link == nil && model.advertising.isConnectable }

    /// Whether the peripheral accepts a connection from an adapter now.
    func accepts(_ adapter: SimulatedFleet.Adapter) -> Bool { accepts && strength(at: adapter) != nil }

    /// Changes the address to another private address, as peripherals with privacy do every few minutes.
    func changeAddress() {
        // The two highest bits of a resolvable address are 01 (Core Specification, Vol 6, Part B, 1.3.2.2).
        let random = UInt64.random(in: 0..<1 << 46, using: &generator)
        address = Address(1 << 46 | random)
    }

    func switchAdvertising(on: Bool) {
        isOn = on
        updateAdvertising()
        startWaiting()
    }

    /// Replaces the service data of the advertisements.
    func changeServiceData(_ data: [(UUID, [[UInt8]])]) {
        model.advertising.serviceData = data
    }

    private struct Waiter {
        weak var attempt: AnyObject?
        let adapter: SimulatedFleet.Adapter
        let body: () -> Void
    }

    /// Calls `body` once, as soon as the peripheral accepts a connection from an adapter.
    ///
    /// `body` must check whether the attempt still exists; `body` may be dropped if the attempt is deallocated before.
    func whenAvailable(
        for attempt: AnyObject, of adapter: SimulatedFleet.Adapter, _ body: @escaping () -> Void
    ) {
        waiting.removeAll { $0.attempt == nil }
        waiting.append(Waiter(attempt: attempt, adapter: adapter, body: body))
        startWaiting()
    }

    private func startWaiting() {
        guard accepts, !waiting.isEmpty else { return }
        let ready = waiting.filter { accepts($0.adapter) }
        waiting.removeAll { accepts($0.adapter) }
        for waiter in ready { waiter.body() }
    }

    /// Starts or stops the advertising timer, which runs only while an adapter can receive the packets.
    func updateAdvertising() {
        let isReceived = isOn && link == nil && air.hasReceiver(of: self)
        if isReceived == (advertising != nil) { return }
        advertising?.cancel()
        advertising = nil
        if isReceived {
            // A random phase: the peripherals do not all advertise at the same moment.
            let part = Double.random(in: 0..<1, using: &generator)
            scheduleAdvertising(after: model.advertising.interval * part)
        }
    }

    private func scheduleAdvertising(after delay: Duration) {
        advertising?.cancel()
        advertising = air.loop.schedule(after: delay) { [weak self] in self?.advertise() }
    }

    private func advertise() {
        let jitter = model.advertising.jitter
        var packet = model.advertising.packet(number: packets, of: model)
        packets += 1
        let stray = Int16.random(in: -jitter...jitter, using: &generator)
        air.forEachReceiver(of: self) { receiver, strength in
            packet.rssi = strength + stray
            receiver.received(packet, from: self)
        }
        // The receivers have scheduled their signals. If the next packet was scheduled before, it could be due before them on
        // a busy machine, and replace the data of this one. A receiver may also have ended the advertising.
        if advertising != nil { scheduleAdvertising(after: model.advertising.interval) }
    }

    // MARK: Connections

    /// Makes the next `times` calls of Connect fail with this error; with 0, no call fails.
    func failConnects(_ times: Int, with error: DBusError) {
        connectError = times > 0 ? (error, times) : nil
    }

    /// Returns the planned error of a call of Connect, and counts the call; nil if the call is not planned to fail.
    func takeConnectError() -> DBusError? {
        guard let (error, times) = connectError else { return nil }
        failConnects(times - 1, with: error)
        return error
    }

    func connected(_ link: any Link) {
        self.link = link
        record(.connected)
        updateAdvertising()
        lastRequest = air.loop.now
        watchIdleness()
    }

    /// Handles the end of the connection.
    func disconnected() {
        guard link != nil else { return }
        link = nil
        idle?.cancel()
        for characteristic in services.flatMap(\.characteristics) { characteristic.unsubscribe() }
        record(.disconnected)
        updateAdvertising()
        startWaiting()
    }

    /// Ends the connection from the peripheral's side.
    func drop() {
        guard let link else { return }
        disconnected()
        link.lost()
    }

    /// Moves the attributes to other handles and sends Service Changed.
    func changeAttributes() {
        for characteristic in services.flatMap(\.characteristics) { characteristic.unsubscribe() }
        revision += 1
        services = AttributeDatabase.services(of: model, revision: revision, seed: seed)
        link?.attributesChanged()
    }

    /// Restarts the idle timeout after a request.
    func requestArrived() {
        lastRequest = air.loop.now
    }

    private func watchIdleness() {
        guard let limit = model.pace.idle else { return }
        let rest = limit - (air.loop.now - lastRequest)
        guard rest > .zero else { return drop() }
        idle = air.loop.schedule(after: rest) { [weak self] in self?.watchIdleness() }
    }

    // MARK: Events

    func record(_ kind: PeripheralEvent.Kind, _ uuid: UUID? = nil, _ value: [UInt8] = [], by client: String = "") {
        if events.count == Self.eventLimit { events.removeFirst(Self.eventLimit / 10) }
        let time = air.loop.timestamp
        let value = Array(value.prefix(Self.valueLimit))
        events.append(PeripheralEvent(time: time, kind: kind, uuid: uuid, value: value, client: client))
    }

    func forgetEvents() {
        events = []
    }
}

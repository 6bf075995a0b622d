import Bluetooth
import DBus
import EventLoop

/// A simulated peripheral: what it sends, what it holds, who is connected to it and what it has seen.
final class Peripheral {
    let model: Fleet.Peripheral
    unowned let air: Air
    var faults: FaultPlan
    /// The adapters whose keys it keeps.
    var bonds: Set<Address>
    /// The strength at which it is received by adapters that are nearer or farther than most, by their names.
    var strengths: [String: Int16]
    /// The error that the next calls of Connect get, and how many.
    private var connectError: (error: DBusError, times: Int)?
    private let seed: UInt64
    /// For what happens on the air.
    var generator: SeededGenerator
    private(set) var services: [PeripheralService]
    /// How often its attributes have changed places.
    private var revision = 0
    private(set) weak var link: (any Link)?
    /// The address that it advertises at present.
    private(set) var address: Address
    /// Whether it advertises when it is not connected.
    private(set) var isOn: Bool
    private(set) var events: [PeripheralEvent] = []
    /// Those who want to connect as soon as it can be heard.
    private var waiting: [Waiter] = []
    private var advertising: Timer?
    private var packets = 0
    private var idle: Timer?
    private var lastRequest: Instant

    /// The oldest events go when there are more.
    private static let eventLimit = 10_000
    /// The longest value that an attribute can have, in bytes.
    static let valueLimit = 512

    /// - Parameter bonds: the adapters that it is bonded with from the start.
    init(_ model: Fleet.Peripheral, bonds: Set<Address>, seed: UInt64, in air: Air) {
        self.model = model
        self.air = air
        self.bonds = bonds
        address = model.address
        strengths = model.advertising.strengths
        faults = FaultPlan(model.faults)
        generator = SeededGenerator(seed: seed)
        self.seed = seed
        services = AttributeDatabase.services(of: model, revision: 0, seed: seed)
        isOn = model.advertising.isOn
        lastRequest = air.start
    }

    func isHeard(by adapter: String) -> Bool {
        model.adapters?.contains(adapter) ?? true
    }

    // MARK: Advertising

    /// Whether it can be connected at this moment.
    var accepts: Bool { isOn && link == nil && model.advertising.isConnectable }

    /// Takes another private address, as those that have one do every few minutes.
    func changeAddress() {
        // The two highest bits of a resolvable one are 01 (Core Specification, Vol 6, Part B, 1.3.2.2).
        let random = UInt64.random(in: 0..<1 << 46, using: &generator)
        address = Address(1 << 46 | random)
    }

    func switchAdvertising(on: Bool) {
        isOn = on
        updateAdvertising()
        wakeWaiting()
    }

    private struct Waiter {
        weak var attempt: AnyObject?
        let body: () -> Void
    }

    /// Calls `body` once as soon as it may be connected, if the attempt lasts until then.
    func whenAvailable(for attempt: AnyObject, _ body: @escaping () -> Void) {
        waiting.removeAll { $0.attempt == nil }
        waiting.append(Waiter(attempt: attempt, body: body))
        wakeWaiting()
    }

    private func wakeWaiting() {
        guard accepts else { return }
        let ready = waiting
        waiting = []
        for waiter in ready { waiter.body() }
    }

    /// Sends while it is on, unconnected and somebody listens; costs nothing otherwise.
    func updateAdvertising() {
        let isHeard = isOn && link == nil && !air.receivers(of: self).isEmpty
        if isHeard == (advertising != nil) { return }
        advertising?.cancel()
        advertising = nil
        if isHeard {
            // Not all at once: each begins somewhere in its interval.
            let part = Double.random(in: 0..<1, using: &generator)
            scheduleAdvertising(after: model.advertising.interval * part)
        }
    }

    private func scheduleAdvertising(after delay: Duration) {
        advertising = air.loop.schedule(after: delay) { [weak self] in self?.advertise() }
    }

    private func advertise() {
        scheduleAdvertising(after: model.advertising.interval)
        let jitter = model.advertising.jitter
        var packet = model.advertising.packet(number: packets, of: model)
        packets += 1
        let stray = Int16.random(in: -jitter...jitter, using: &generator)
        for receiver in air.receivers(of: self) {
            packet.rssi = (strengths[receiver.adapterName] ?? model.advertising.rssi) + stray
            receiver.received(packet, from: self)
        }
    }

    // MARK: Links

    /// The next calls of Connect get this error.
    func failConnects(_ times: Int, with error: DBusError) {
        connectError = times > 0 ? (error, times) : nil
    }

    /// The error that this call of Connect gets, if it is to fail.
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

    /// The gateway has ended the link.
    func disconnected() {
        guard link != nil else { return }
        link = nil
        idle?.cancel()
        for characteristic in services.flatMap(\.characteristics) { unsubscribe(characteristic) }
        record(.disconnected)
        updateAdvertising()
        wakeWaiting()
    }

    /// The peripheral ends the link, or it breaks.
    func drop() {
        guard let link else { return }
        disconnected()
        link.lost()
    }

    /// Rearranges its attributes and says so.
    func changeAttributes() {
        for characteristic in services.flatMap(\.characteristics) { unsubscribe(characteristic) }
        revision += 1
        services = AttributeDatabase.services(of: model, revision: revision, seed: seed)
        link?.attributesChanged()
    }

    /// A request has come in.
    func touched() {
        lastRequest = air.loop.now
    }

    private func watchIdleness() {
        guard let patience = model.pace.idle else { return }
        let rest = patience - (air.loop.now - lastRequest)
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

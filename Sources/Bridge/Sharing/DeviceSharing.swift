import BlueZ
import Bluetooth
import Configuration
import Contract
import Devices
import EventLoop
import JSON
import Log
import MQTT
import Seat
import Sharing
import Spool
import System

// The types of this folder, and those of other folders that belong to them.
//
// | type                           | which question it answers                                                | owner           |
// |--------------------------------|--------------------------------------------------------------------------|-----------------|
// | `DeviceSharing`                | Which messages and timers does the machine of this gateway need?         | `Gateway`       |
// | `FleetInbox`                   | What does a message of another gateway mean? Is it valid?                | `DeviceSharing` |
// | `UnsharedGateways`             | Which gateways without `share` publish devices of the fleet?             | `DeviceSharing` |
// | `SharedRequests`               | What is the name of a request? Which responses wait?                     | `DeviceSharing` |
// | `SharedChanges`                | Which changes of devices by requests have other gateways made?           | `DeviceSharing` |
// | `SharedConnections`            | Which connections has a gateway left behind that does not run?           | `bluefleet release` |
// | `SeatKeeper`                   | Does this gateway hold the lock in etcd?                                 | `DeviceSharing` |
// | `LateDisk`                     | How are readings kept on the disk, and sent later?                       | `DeviceSharing` |
// | `FleetGateway` (Sharing)       | Which gateway owns which device? May this gateway publish now?           | `DeviceSharing` |
// | `Ownership` (Device)           | May this device publish now? Which of its readings wait?                 | `Device`        |
// | `Spooler` (Late)               | Which readings wait on the disk? Which may be sent now?                  | `BrokerLink`    |
// | `FleetStart` (Publishing)      | Which process and which connection is this?                              | `Publisher`     |
// | `FleetMemoryStore` (State)     | Which stamps has an earlier run seen?                                    | `DeviceSharing` |

/// Shares devices with other gateways of the broker: passes messages, time and signal strengths to the machine of this
/// gateway, `FleetGateway`, and performs its actions.
///
/// Without the key `share` there is no such object, and nothing is subscribed.
final class DeviceSharing: LoopPart {
    /// The time between two writes of the memory.
    private static let storeInterval = Duration.seconds(60)
    /// The number of advertisements that wait while the right to publish is in doubt: of one device, and of all.
    private static let mostHeld = (ofDevice: 64, ofAll: 10_000)

    let loop: EventLoop
    private let settings: Configuration.Share
    /// Whether the gateway has no devices of its own.
    private let onlyDecides: Bool
    private let fleet: Fleet
    private let log = Log("sharing")
    private var store: FleetMemoryStore
    private var machine: FleetGateway?
    /// The publisher whose process and connection the machine represents.
    private var publisher: Publisher?
    private var inbox = FleetInbox()
    private var unshared = UnsharedGateways()
    /// The lock in etcd of the present machine; nil: the configuration has no seat.
    private var seat: SeatKeeper?
    private let invalid = FailureLines()
    /// The timer of the machine, and its time; nil: none is set.
    private var alarm: (timer: Timer, time: Instant)?
    private var storeTimer: Timer?
    /// The disk for readings that wait; nil: they wait in memory only.
    private var disk: LateDisk?
    /// The timer after which the readings that wait are kept on the disk, and its time; nil: none is set.
    private var keepTimer: (timer: Timer, time: Instant)?
    /// The shared devices and their addresses, as the machine knows them.
    private var shared: [String: Address] = [:]
    /// The fingerprint of the shared devices that all gateways should have, as the machine knows it.
    private var fingerprint = ""
    /// The devices with a bond on this gateway, according to the last reports of bluetoothd.
    private var bonded: Set<String> = []
    /// The newest signal strengths since the last look, in dBm.
    private var signals: [String: Int] = [:]
    /// How often this gateway has become the owner of a device.
    private var moves = 0
    /// The time in which this gateway was not allowed to publish, and when it was last measured.
    private var doubt: (total: Duration, measured: Instant)
    private var ownersChanged: (_ device: String?) -> Void = { _ in }
    private var appeared: () -> Void = {}
    private var deciderChanged: () -> Void = {}
    /// The timer that publishes the state of the gateway again, because another process has published one.
    private var stateTimer: Timer?
    private lazy var questions = answers()
    private lazy var changes = SharedChanges(fleet: fleet, loop: loop) { [unowned self] in reportReplaced($0) }
    private lazy var requests = SharedRequests(loop: loop) { [unowned self] in handle($0) }

    init(
        _ settings: Configuration.Share, onlyDecides: Bool, fleet: Fleet, stateFolder: String, host: HostMonitor,
        loop: EventLoop
    ) {
        self.settings = settings
        self.onlyDecides = onlyDecides
        self.fleet = fleet
        self.loop = loop
        store = FleetMemoryStore(in: stateFolder, observer: host.stateObserver)
        doubt = (.zero, loop.now)
        let next = handler { (sharing: DeviceSharing, _: Void) in sharing.nextRevision }
        let changed = handler { (sharing: DeviceSharing, addresses: [Address]) in sharing.changed(addresses) }
        let publishes = handler { (sharing: DeviceSharing, device: String) in
            sharing.admission(of: device) == .publish
        }
        let ownedSince = handler { (sharing: DeviceSharing, device: String) in sharing.machine?.ownedSince(device) }
        fleet.shareChanges(
            by: Fleet.ChangeSharing(
                includes: settings.includes, nextRevision: { next(()) }, changed: changed,
                publishes: { publishes($0) ?? false }, ownedSince: ownedSince))
    }

    /// Calls `body` after this gateway has become the owner of a device, or has lost it; with nil, after it may publish again.
    func onOwnerChange(_ body: @escaping (_ device: String?) -> Void) {
        ownersChanged = body
    }

    /// Calls `body` on each connection as soon as this process may publish as the gateway.
    func onAppearance(_ body: @escaping () -> Void) {
        appeared = body
    }

    /// Calls `body` after another gateway, or this one, has begun to decide.
    func onDeciderChange(_ body: @escaping () -> Void) {
        deciderChanged = body
    }

    /// Sets the disk for readings that wait.
    func keepReadings(on disk: LateDisk) {
        self.disk = disk
    }

    // MARK: Requests

    /// Sets the part that carries out the requests to shared devices.
    func carryOutRequests(by work: SharedRequests.Work) {
        requests.use(work)
    }

    /// Takes a request to a shared device; returns false for any other device.
    func take(_ message: Message, of device: String) -> Bool {
        guard shared[device] != nil else { return false }
        // After the end of the sharing, other gateways answer.
        guard machine != nil else { return true }
        handle(requests.event(message, of: device) { machine?.numbers(ofRequests: $0, at: loop.now) })
        return true
    }

    // MARK: Life

    /// Prepares a new device before its start.
    func prepare(_ device: Device) {
        guard settings.includes(device.configuration) else {
            if publisher?.mayPublish != true { device.enter { $0.waitForName() } }
            return
        }
        let (name, questions) = (device.name, questions)
        device.enter { $0.share(by: Ownership(of: name, questions)) }
    }

    /// Returns the questions of all shared devices to this object.
    private func answers() -> Ownership.Questions {
        let admission = handler { (sharing: DeviceSharing, device: String) in sharing.admission(of: device) }
        let admissionOfHeld = handler {
            (sharing: DeviceSharing, held: (device: String, stamp: FleetStamp?, arrival: Instant)) in
            sharing.admission(ofHeld: held.device, held.stamp, held.arrival)
        }
        let limit = handler { (sharing: DeviceSharing, _: Void) in sharing.limit }
        let keepSoon = handler { (sharing: DeviceSharing) in sharing.keepHeldReadings(after: .zero) }
        return Ownership.Questions(
            admission: { admission($0) ?? .drop }, admissionOfHeld: { admissionOfHeld(($0, $1, $2)) ?? .drop },
            limit: { limit(()) ?? 1 }, keepSoon: keepSoon,
            why: handler { (sharing: DeviceSharing, device: String) in sharing.machine?.reason(of: device) },
            obstacle: handler { (sharing: DeviceSharing, device: String) in sharing.machine?.obstacle(to: device) })
    }

    /// Begins to share the devices by a publisher, before its client starts; ends the sharing by an earlier one.
    func begin(with publisher: Publisher) {
        if machine != nil { leave() }
        guard let start = publisher.messages.start else { return }
        self.publisher = publisher
        shared = sharedDevices
        fingerprint = listFingerprint
        unshared = UnsharedGateways()
        let process = FleetProcess(gateway: publisher.topics.gateway, start: start.name)
        seat = settings.seat.map { seat in
            SeatKeeper(Seat(seat, prefix: publisher.topics.prefix, process), loop: loop) { [weak self] in
                self?.handle($0)
            } report: { [weak self] in
                self?.publish($0)
            }
        }
        machine = FleetGateway(
            FleetIdentity(
                gateway: process.gateway, start: process.start, rank: settings.rank, hasSeat: settings.seat != nil,
                onlyDecides: onlyDecides),
            devices: needs, roster: fingerprint, memory: store.memory, at: loop.now)
        let filters = [
            TopicFilter(publisher.topics[.report]), publisher.topics.filter(ofAllGateways: .decision),
            publisher.topics.filter(ofAllGateways: .changes), publisher.topics.filter(ofAllGateways: .state),
        ]
        for filter in filters.compactMap(\.self) { publisher.client.subscribe(to: filter) }
        handle(.revisions(changes.revisions, changed: []))
        fleet.change { [weak fleet] in await fleet?.reviseFormerChanges() }
        schedule()
        if storeTimer == nil { storeLater() }
    }

    /// Passes the devices to other gateways before this gateway stops, unless it is the only one.
    ///
    /// The devices publish no state then: the next owner publishes its own.
    func passOn() {
        keepHeldReadings(includesNewest: true)
        guard let machine, machine.members.count > 1 else { return }
        leave()
    }

    /// Ends the sharing, after the devices have published their last states.
    func stop() {
        if machine != nil { leave() }
        storeTimer?.cancel()
        stateTimer?.cancel()
    }

    private func leave() {
        reportCounters()
        keepHeldReadings(includesNewest: true)
        handle(.stop)
        alarm?.timer.cancel()
        alarm = nil
        saveMemory()
        machine = nil
        seat?.release()
        seat = nil
    }

    // MARK: Devices

    private var sharedDevices: [String: Address] {
        fleet.devices.filter { $0.value.enter { $0.isShared } }.mapValues(\.configuration.address)
    }

    private var needs: [String: ConnectionNeed] {
        let devices = shared.keys.compactMap { fleet.devices[$0]?.configuration } + decidedDevices
        return Dictionary(devices.map { ($0.name, ConnectionNeed($0.connect)) }) { first, _ in first }
    }

    /// The devices of other gateways, if this one only decides.
    private var decidedDevices: [Configuration.Device] {
        fleet.decidedDevices.filter { settings.includes($0) }
    }

    /// The fingerprint of the names and addresses of the shared devices that all gateways should have.
    private var listFingerprint: String {
        var devices = shared
        for device in decidedDevices { devices[device.name] = device.address }
        let own = Set(fleet.roster.ownAdoptions.map(\.address))
        devices = devices.filter { !own.contains($0.value) }
        return FleetGateway.fingerprint(of: devices.sorted { $0.key < $1.key }.flatMap { [$0.key, "\($0.value)"] })
    }

    /// Shares the present devices, after devices were added, removed or renamed.
    func settle() {
        handle(.revisions(changes.revisions, changed: []))
        guard machine != nil else { return }
        let before = (shared, fingerprint)
        shared = sharedDevices
        fingerprint = listFingerprint
        guard (shared, fingerprint) != before || onlyDecides else { return }
        handle(.devices(needs, roster: fingerprint))
    }

    // MARK: Changes at run time

    private var nextRevision: FleetRevision? {
        guard let machine, let publisher else { return nil }
        return FleetRevision(number: machine.nextRevision, gateway: publisher.topics.gateway)
    }

    /// Publishes what a request has changed.
    private func changed(_ addresses: [Address]) {
        handle(.revisions(changes.revisions, changed: addresses.map { "\($0)" }))
    }

    private func reportReplaced(_ names: [String]) {
        for name in names {
            log.warning("\(name): \(GatewayEvent.twoAdditions)")
            publish(.deviceConflict(device: name, reason: GatewayEvent.twoAdditions))
        }
    }

    // MARK: Signals

    /// Notes the signal strength of an advertisement.
    func received(_ rssi: Int?, from device: String) {
        if let rssi, shared[device] != nil { signals[device] = rssi }
    }

    // MARK: Readings that wait

    private func admission(of device: String) -> Admission? {
        let admission = machine?.admission(ofAdvertisement: device, at: loop.now)
        if case .hold = admission, keepTimer == nil, let disk { keepHeldReadings(after: disk.interval()) }
        return admission
    }

    private func admission(ofHeld device: String, _ stamp: FleetStamp?, _ arrival: Instant) -> Admission? {
        let now = loop.now
        let admission = machine?.admission(ofHeld: device, stamp, arrival: arrival, at: now)
        if case .hold = admission, machine?.isInTouch(at: now) == true {
            // The readings that wait are being examined.
            spawn { $0.handle(.ownerWanted(device: device)) }
        }
        return admission
    }

    /// Returns what happens to a message on the disk.
    func verdict(on record: SpoolRecord, _ arrival: Instant) -> LateVerdict {
        guard let stamp = record.stamp.flatMap({ try? JSON(parsing: $0) }).flatMap({ FleetStamp($0) }) else {
            return .send
        }
        return switch admission(ofHeld: record.device, stamp, arrival) {
        case .publish: .send
        case .drop: .drop
        case .hold, nil: .wait
        }
    }

    /// Keeps the readings that wait on the disk after a time, if the right to publish is still in doubt.
    private func keepHeldReadings(after delay: Duration) {
        let time = loop.now + delay
        if let keepTimer, keepTimer.time <= time { return }
        keepTimer?.timer.cancel()
        let timer = after(delay) { sharing in
            sharing.keepTimer = nil
            guard let machine = sharing.machine, !machine.isInTouch(at: sharing.loop.now) else { return }
            sharing.keepHeldReadings(includesNewest: false)
        }
        keepTimer = (timer, time)
    }

    /// Keeps the readings that wait on the disk.
    private func keepHeldReadings(includesNewest: Bool) {
        guard let disk, let publisher else { return }
        var messages: [HeldMessage] = []
        for name in shared.keys {
            messages += fleet.devices[name]?.enter { $0.keepHeldReadings(includesNewest: includesNewest) } ?? []
        }
        messages.sort { $0.arrival < $1.arrival }
        if !messages.isEmpty { disk.keep(messages, publisher) }
    }

    /// The number of advertisements of one device that may wait.
    private var limit: Int? { max(1, min(Self.mostHeld.ofDevice, Self.mostHeld.ofAll / max(1, shared.count))) }

    // MARK: Connections

    /// Notes a change of the connection of a device.
    func connectionChanged(of device: String, _ change: ConnectionChange) {
        guard shared[device] != nil else { return }
        switch change {
        case .connected: handle(.linked(device: device, true))
        case .found: handle(.linkFound(device: device))
        case .disconnected: handle(.linked(device: device, false))
        case .failed: handle(.connectFailed(device: device))
        }
    }

    /// Notes the connections in use and their limits.
    func connectionsChanged(_ adapters: [ConnectionUse]) {
        handle(.freeSlots(adapters.reduce(0) { $0 + $1.freeSlots }))
    }

    /// Whether another gateway owns a device that this one has owned.
    func isOwnedElsewhere(_ device: String) -> Bool { machine?.isOwnedElsewhere(device) ?? false }

    // MARK: The broker

    func connected() {
        guard let connection = publisher?.messages.start?.connection else { return }
        handle(.connected(connection: connection.number))
    }

    func disconnected() {
        handle(.disconnected)
    }

    /// Handles a message; returns false if it is no message between gateways.
    func receive(_ message: Message, by origin: Publisher) -> Bool {
        guard let publisher, let source = origin.topics.source(of: message.topic), source.kind.isOfFleet else {
            return false
        }
        guard publisher.number == origin.number else { return true }
        if source.kind == .state, source.gateway == publisher.topics.gateway { correctState(message) }
        switch inbox.read(message, from: source) {
        case .event(let event): handle(event)
        case .online(isSharing: false) where source.gateway != publisher.topics.gateway:
            if unshared.found(source.gateway) { listenToDevices(of: source.gateway, true) }
        case .online, .offline:
            if unshared.forget(source.gateway) { listenToDevices(of: source.gateway, false) }
        case .devices(let devices):
            unshared.listed(devices, by: source.gateway)
            reportUnshared()
        case .nothing: break
        case .invalid:
            let text = "a message of the gateway \(source.gateway) is ignored: it is not valid"
            guard let line = invalid.line(text, at: loop.now) else { break }
            log.warning(line, ["topic": message.topic, "bytes": message.payload.count])
        }
        return true
    }

    // MARK: The machine

    private func handle(_ event: FleetEvent) {
        guard let actions = machine?.handle(event, at: loop.now) else { return }
        measureDoubt()
        for action in actions { perform(action) }
        schedule()
    }

    /// Starts the timer of the machine.
    private func schedule() {
        guard let wake = machine?.wake, wake != alarm?.time else { return }
        alarm?.timer.cancel()
        let timer = after(max(.zero, wake - loop.now)) { sharing in
            sharing.alarm = nil
            sharing.handle(.timer)
        }
        alarm = (timer, wake)
    }

    private func perform(_ action: FleetAction) {
        switch action {
        case .publishReport(let report):
            for part in report.parts { publisher?.publish(toGateways: part.json, on: .report) }
        case .publishDecision(let decision): publisher?.publish(toGateways: decision.json, on: .decision)
        case .publishChanges(let addresses, let wanted):
            let message = FleetChanges(changes: changes.changes(of: addresses), wanted: wanted)
            publisher?.publish(toGateways: message.json, on: .changes)
        case .publishRevisions(let list):
            publisher?.publish(toGateways: FleetChanges(known: list).json, on: .changes)
        case .applyChanges(let received): changes.apply(received)
        case .readReports(let isOn): readReports(isOn)
        case .measure:
            let measured = signals
            signals = [:]
            handle(.measured(measured))
            updateBonds()
            fleet.passOnAdoptions()
        case .begin(let device): begin(device)
        case .end(let device):
            log.debug("another gateway owns \(device)")
            handle(.counters(counters(of: [device])))
            fleet.devices[device]?.enter { $0.ownershipEnded() }
            ownersChanged(device)
        case .obstacleChanged(let device): fleet.devices[device]?.enter { $0.obstacleChanged() }
        case .publishHeldReadings:
            for name in shared.keys.sorted() { fleet.devices[name]?.enter { $0.publishHeldReadings() } }
            // Averages may have ended in doubt.
            keepHeldReadings(includesNewest: false)
            disk?.resume()
            ownersChanged(nil)
        case .ownerFound(let device):
            fleet.devices[device]?.enter { $0.publishHeldReadings() }
            disk?.resume()
        case .store: saveMemory()
        case .notify(let notice): report(notice)
        case .execute(let name, let request): requests.execute(name, request)
        case .respond(let name, let answer):
            if let publisher { requests.respond(name, answer, by: publisher) }
        case .dropResponse(let name): requests.drop(name)
        case .refuse(let request): requests.refuse(request)
        case .disconnect(let device): fleet.devices[device]?.enter { $0.leaveConnection() }
        case .connect(let device): fleet.devices[device]?.enter { $0.connectForRequest() }
        case .reconnect(let device): fleet.devices[device]?.enter { $0.returnToConnection() }
        case .appear: setNameOwner(.thisProcess)
        case .vanish: setNameOwner(.otherProcess)
        case .takeSeat: seat?.take()
        case .record(let claims): seat?.record(claims)
        case .recordAnswers(let names): seat?.recordAnswers(names)
        }
    }

    /// Reports the devices with a bond on this gateway; a device that bluetoothd does not know now keeps its bond.
    private func updateBonds() {
        guard fleet.isBluetoothOn else { return }
        for device in shared.keys {
            switch fleet.devices[device]?.enter({ $0.hasBond }) {
            case true?: bonded.insert(device)
            case false?: bonded.remove(device)
            case nil: break
            }
        }
        handle(.bonded(bonded.intersection(shared.keys)))
    }

    /// Reports the counters of encrypted advertisements: the next owner rejects packets from before.
    private func reportCounters() {
        handle(.counters(counters(of: machine?.ownedDevices ?? [])))
    }

    private func counters(of devices: [String]) -> [String: [String: Int]] {
        let all = devices.map { device in
            let counters = fleet.devices[device]?.enter { $0.packetCounters } ?? [:]
            return (device, counters.compactMapValues { $0 <= FleetLimits.number ? Int($0) : nil })
        }
        return Dictionary(uniqueKeysWithValues: all.filter { !$0.1.isEmpty })
    }

    /// Publishes as the gateway from now on, or no longer; devices that are not shared are used only in the first case.
    private func setNameOwner(_ owner: FleetStart.NameOwner) {
        publisher?.messages.start?.setNameOwner(owner)
        for (name, device) in fleet.devices where shared[name] == nil {
            device.enter { $0.useConnections(owner == .thisProcess) }
        }
        if owner == .thisProcess { appeared() }
    }

    /// The time before the state of the gateway is published again.
    private static let stateDelay = Duration.seconds(1)

    /// Publishes the state of the gateway again if another process with its name has published one, such as its last will.
    private func correctState(_ message: Message) {
        guard !message.isRetained, stateTimer == nil, let start = publisher?.messages.start,
            let json = try? JSON(parsing: message.payload), FleetConnection(json)?.start != start.name
        else { return }
        stateTimer = after(Self.stateDelay) { sharing in
            sharing.stateTimer = nil
            sharing.publisher?.publishOnline()
        }
    }

    private func readReports(_ isOn: Bool) {
        guard let publisher, let filter = publisher.topics.filter(ofAllGateways: .report) else { return }
        isOn ? publisher.client.subscribe(to: filter) : publisher.client.unsubscribe(from: filter)
    }

    /// Reads the list of devices of a gateway that shares none, or no longer.
    private func listenToDevices(of gateway: String, _ isOn: Bool) {
        guard let publisher, let topics = try? Topics(prefix: publisher.topics.prefix, gateway: gateway) else { return }
        let filter = TopicFilter(topics[.devices])
        isOn ? publisher.client.subscribe(to: filter) : publisher.client.unsubscribe(from: filter)
    }

    /// Reports gateways without `share` that publish devices of this gateway.
    private func reportUnshared() {
        for (gateway, device) in unshared.reports(owns: { machine?.owns($0) == true }) {
            log.warning(
                "the gateway \(gateway) publishes \(device) too, because it has no share",
                ["remedy": "add share: true there, or remove the device from its file"])
            publish(.unsharedGateway(gateway, device: device))
        }
    }

    private func begin(_ device: String) {
        moves += 1
        log.debug("this gateway owns \(device)", ["why": machine?.reason(of: device) ?? ""])
        let counters = machine?.counters(of: device).mapValues { UInt64($0) } ?? [:]
        fleet.devices[device]?.enter { device in
            device.follow(counters: counters)
            device.ownershipBegan()
        }
        ownersChanged(device)
        reportUnshared()
    }

    private func report(_ notice: FleetNotice) {
        guard let publisher else { return }
        let event: GatewayEvent
        switch notice {
        case .decider(let name):
            log.info("the gateway \(name) decides")
            deciderChanged()
            event = .fleetDecider(name, epoch: machine?.followed?.epoch ?? 0)
        case .memberLost(let name):
            log.warning("no reports of the gateway \(name): other gateways get its devices")
            event = .memberLost(name)
        case .memberBack(let name):
            log.info("the gateway \(name) is back")
            event = .memberBack(name)
        case .nameTaken:
            log.error(
                "another process has the name \(publisher.topics.gateway): this one publishes nothing",
                ["remedy": "give each gateway a name of its own with the key gateway"])
            event = .nameTaken(publisher.topics.gateway)
        case .unknownDevice(let device, let gateway, let other):
            event = .unknownDevice(device, at: gateway, knownAt: other)
            log.warning("\(device): \(GatewayEvent.reason(notAt: gateway, at: other))")
        case .otherList(let gateway, let other):
            event = .otherList(gateway, other)
            log.warning("\(GatewayEvent.reason(differing: gateway, other))")
        }
        publish(event)
    }

    private func publish(_ event: GatewayEvent) {
        publisher?.publish(event, at: loop.timestamp)
    }

    // MARK: The state

    private func measureDoubt() {
        let now = loop.now
        if machine?.isInTouch(at: now) != true { doubt.total += now - doubt.measured }
        doubt.measured = now
    }

    private func storeLater() {
        storeTimer = after(Self.storeInterval) { sharing in
            sharing.saveMemory()
            sharing.reportCounters()
            sharing.storeLater()
        }
    }

    private func saveMemory() {
        if let memory = machine?.memory { store.save(memory) }
    }

    /// The member `fleet` of the topic `health`.
    var health: FleetHealth {
        FleetHealth(
            decider: machine?.followed?.gateway, epoch: machine?.followed?.epoch ?? store.memory.epoch,
            members: machine?.members.sorted() ?? [], shared: shared.count, owned: machine?.ownedDevices.count ?? 0,
            moves: moves, secondsInDoubt: Int(doubt.total.components.seconds), ignored: inbox.invalidCount)
    }

    /// The response to the request `fleet`.
    var overview: FleetOverview {
        let places = machine.map { $0.hasCollected ? $0.places(at: loop.now) : nil } ?? nil
        let health = health
        return FleetOverview(
            decider: health.decider, epoch: health.epoch, members: health.members,
            owned: machine?.ownedDevices ?? [],
            devices: places?.mapValues { place in
                FleetOverview.Device(
                    owner: place.owner, destination: place.destination,
                    seconds: Int(place.assigned.components.seconds),
                    signals: place.signals.mapValues { Int($0.rounded()) }, why: place.why)
            })
    }
}

extension ConnectionUse {
    /// The number of connections of an adapter whose limit is not known: the smallest of the usual controllers.
    private static let usualCapacity = 5

    /// The number of connections that can still be made.
    fileprivate var freeSlots: Int { isFull ? 0 : max(0, (capacity ?? Self.usualCapacity) - connections) }
}

extension ConnectionNeed {
    fileprivate init(_ policy: Configuration.ConnectPolicy) {
        switch policy {
        case .always: self = .always
        case .every, .onDemand: self = .sometimes
        case .never: self = .never
        }
    }
}

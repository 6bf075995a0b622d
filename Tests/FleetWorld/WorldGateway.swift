import Contract
import JSON
import Sharing
import System

/// One gateway of a simulated world: a `FleetGateway` with a clock of its own, a socket, a radio and a state folder.
final class WorldGateway {
    /// A message that waits until the gateway may act.
    private enum Held {
        /// A reading, with the stamp under which it arrived, and the time on the clock of the gateway; nil: it is always
        /// published.
        case reading(WorldReading, FleetStamp?, Instant)
    }

    let index: Int
    let name: String
    private unowned let world: World
    private let schedule: Schedule
    private let chance: Chance
    private let options: WorldOptions
    /// The rate of the clock: up to 1.5 % wrong.
    private let rate: Double
    /// The time of the clock when the world began, in seconds.
    private let origin: Double
    /// The content of the state folder.
    private(set) var memory = FleetMemory()
    /// Nil: the process does not run.
    private var machine: FleetGateway?
    private(set) var start = ""
    private(set) var connection: WorldConnection?
    private var connectionCount = 0
    private var readsReports = false
    /// The messages that wait: they are on the disk of the gateway, so they outlive the process.
    private var held: [Held] = []
    /// The devices with a connection to this gateway, as the process sees it.
    private(set) var links: Set<Int> = []
    /// Until when an attempt to connect is under way, in seconds, by device.
    private var attempts: [Int: Double] = [:]
    /// The responses that are ready, by request.
    private var responses: [String: (device: Int, status: String)] = [:]
    /// The requests that other gateways have reported to the process as answered, and those that it has answered.
    private var answered: Set<String> = []
    /// The stamps of each device that the process has received.
    private var stamps: [String: Set<FleetStamp>] = [:]
    /// The devices for which the process acts.
    private(set) var acting: Set<Int> = []
    private var plannedWake = Double.infinity
    /// Incremented at each start and end of the process.
    private var life = 0

    init(_ world: World, index: Int, name: String, _ options: WorldOptions, _ schedule: Schedule, _ chance: Chance) {
        self.world = world
        self.index = index
        self.name = name
        self.options = options
        self.schedule = schedule
        self.chance = chance
        rate = chance.uniform(0.985, 1.015)
        origin = chance.uniform(0, 1_000_000)
    }

    // MARK: What the world sees

    var isRunning: Bool { machine != nil }
    /// Whether the process has a connection that its broker has too.
    var isConnected: Bool { isRunning && connection.map { $0.isOpenHere && $0.isOpenThere } ?? false }
    var isInTouch: Bool { machine?.isInTouch(at: instant) ?? false }
    var isConfirmed: Bool { machine?.isConfirmed ?? false }
    var isDeciding: Bool { machine?.isDeciding ?? false }
    var hasCollected: Bool { machine?.hasCollected ?? false }
    var owners: [String: String] { machine?.owners ?? [:] }
    func stamp(of device: Int) -> FleetStamp? { machine?.stamp(of: world.names[device]) }
    /// The key that the process follows.
    var followed: FleetKey? { machine?.followed }
    /// The stamps of a device that the process has received.
    func stamps(of device: Int) -> Set<FleetStamp> { stamps[world.names[device]] ?? [] }
    /// Whether a message to the process has reported that a request was answered.
    func remembers(answerTo request: String) -> Bool { answered.contains(request) }

    private var instant: Instant {
        Instant(nanoseconds: Int64((origin + schedule.now * rate) * 1e9))
    }

    // MARK: The process

    func boot() {
        guard machine == nil else { return }
        life += 1
        start = chance.name()
        connection = nil
        connectionCount = 0
        readsReports = false
        (attempts, responses, acting, answered) = ([:], [:], [], [])
        stamps = memory.stamps.reduce(into: [:]) { $0[$1.device] = [$1.value] }
        plannedWake = .infinity
        links = Set(world.links(of: index))
        machine = FleetGateway(
            FleetIdentity(gateway: name, start: start, hasSeat: options.hasSeat), devices: world.needs, roster: "5ad1",
            memory: memory, rules: options.rules, at: instant)
        handle(.freeSlots(options.slots - links.count))
        for device in links.sorted() { handle(.linkFound(device: world.names[device])) }
        store(life)
        watchLinks(life)
        connect()
    }

    /// Ends the process as SIGKILL does.
    func crash() {
        machine = nil
        life += 1
        connection?.isOpenHere = false
        for device in acting.sorted() { world.setActing(index, device, false) }
        acting = []
    }

    /// Ends the process as SIGTERM does.
    func stop() {
        handle(.stop)
        world.releaseSeat(self)
        memory = machine?.memory ?? memory
        let last = connection
        crash()
        guard let last, last.isOpenThere, world.cut(index) == .none else { return }
        schedule.after(0.02) { [world] in world.broker.broke(last) }
    }

    func loseMemory() {
        memory = FleetMemory()
        held = []
    }

    func copyMemory(of other: WorldGateway) {
        memory = other.memory
    }

    /// Performs an action later, if the process still runs.
    private func later(_ delay: Double, _ action: @escaping () -> Void) {
        let life = life
        schedule.after(delay / rate) { [self] in
            world.soon(index) { [self] in if self.life == life { action() } }
        }
    }

    /// Stores the memory once a minute.
    private func store(_ life: Int) {
        later(60) { [self] in
            memory = machine?.memory ?? memory
            store(life)
        }
    }

    // MARK: The machine

    private func handle(_ event: FleetEvent) {
        guard let actions = machine?.handle(event, at: instant) else { return }
        for action in actions { perform(action) }
        planTimer()
    }

    private func planTimer() {
        guard let wake = machine?.wake else { return }
        let time = max(schedule.now, (Double(wake.nanoseconds) / 1e9 - origin) / rate + 1e-6)
        guard time < plannedWake else { return }
        plannedWake = time
        let life = life
        schedule.at(time) { [self] in
            world.soon(index) { [self] in
                guard self.life == life, plannedWake == time else { return }
                plannedWake = .infinity
                handle(.timer)
            }
        }
    }

    private func perform(_ action: FleetAction) {
        switch action {
        case .publishReport(let report): send(.report(name, report))
        case .publishDecision(let decision): send(.decision(decision))
        case .readReports(let isOn): readReports(isOn)
        case .measure: handle(.measured(world.sample(index)))
        case .begin(let device): begin(device)
        case .end(let device):
            acting.remove(world.index(device))
            world.setActing(index, world.index(device), false)
        case .disconnect(let device):
            links.remove(world.index(device))
            world.unlink(index, world.index(device))
            handle(.freeSlots(options.slots - links.count))
        case .connect(let device): connect(to: world.index(device))
        case .reconnect(let device): if world.kinds[world.index(device)] == .always { connect(to: world.index(device)) }
        case .publishHeldReadings, .ownerFound: publishHeld()
        case .execute(let id, let request): execute(id, request)
        case .respond(let id, let answer): respond(id, isInterrupted: answer != .executed)
        case .dropResponse(let id): responses[id] = nil
        // The world sends fewer requests than a gateway keeps, and has no bonds.
        case .refuse, .obstacleChanged: break
        // The world counts what gateways publish for devices.
        case .appear, .vanish: break
        case .takeSeat:
            if let (begun, answered, giver) = world.takeSeat(self) {
                handle(.seated(begun: begun, answered: answered, asked: instant, giver: giver))
            }
        case .record(let claims):
            if world.takeSeat(self) != nil {
                world.recordClaims(claims)
                handle(.recorded(claims))
            }
        case .recordAnswers(let ids): if world.takeSeat(self) != nil { world.recordAnswers(ids) }
        case .store: memory = machine?.memory ?? memory
        case .notify(let notice): world.noted(notice, by: self)
        // No request of the world changes a device.
        case .publishChanges, .publishRevisions, .applyChanges: break
        }
    }

    private func begin(_ device: String) {
        let device = world.index(device)
        acting.insert(device)
        world.setActing(index, device, true)
    }

    // MARK: The connection to the broker

    private func connect() {
        guard machine != nil, connection == nil else { return }
        guard !world.broker.isDown, world.cut(index) == .none else {
            return later(chance.uniform(options.retry.lowerBound, options.retry.upperBound)) { [self] in connect() }
        }
        connectionCount += 1
        let new = WorldConnection(gateway: index, node: index % options.nodes, start: start, number: connectionCount)
        world.broker.accept(new)
        connection = new
        readReports(readsReports)
        handle(.connected(connection: connectionCount))
    }

    private func readReports(_ isOn: Bool) {
        readsReports = isOn
        guard let connection else { return }
        schedule.after(0.003) { connection.readsReports = isOn }
    }

    /// Handles that a connection has ended.
    func closed(_ ended: WorldConnection) {
        guard connection === ended, machine != nil else { return }
        connection = nil
        ended.isOpenHere = false
        handle(.disconnected)
        // The gateway has written unacknowledged messages under its lease, so no other gateway has published them.
        for (_, message) in ended.outgoing {
            switch message {
            case .reading(let reading): held.append(.reading(reading, nil, instant))
            case .response(let response):
                responses[response.request] = (response.device, response.status)
                answered.remove(response.request)
                handle(.responseLost(response.request))
            default: break
            }
        }
        later(chance.uniform(0.2, 1)) { [self] in connect() }
    }

    private func send(_ message: WorldMessage) {
        guard let connection else { return }
        world.broker.send(message, connection)
    }

    /// Handles a message of the broker.
    func received(_ message: WorldMessage, _ source: WorldConnection) {
        guard machine != nil, connection === source else { return }
        switch message {
        case .report(let gateway, let report):
            handle(.report(report, gateway: gateway))
            answered.formUnion(report.done)
            for reported in [report.whole?.owned, report.whole?.remembered, report.accepted] {
                for (device, stamp) in reported ?? [:] { stamps[device, default: []].insert(stamp) }
            }
        case .decision(let decision):
            handle(.decision(decision))
            answered.formUnion(decision.done)
            for (device, assignment) in decision.owners { stamps[device, default: []].insert(assignment.stamp) }
        case .will(let gateway, let start, let connection):
            handle(.will(gateway: gateway, start: start, connection: connection))
        case .request(let id, let request):
            world.reached(id, index, start)
            handle(.request(id, request))
        case .reading, .response: break
        }
    }

    // MARK: Readings

    func advertised(_ device: Int, _ packet: Int) {
        guard let machine else { return }
        let reading = reading(device, packet, isFromLink: false)
        switch machine.admission(ofAdvertisement: world.names[device], at: instant) {
        case .publish: send(.reading(reading))
        case .hold(let stamp): hold(reading, stamp)
        case .drop: break
        }
    }

    private func hold(_ reading: WorldReading, _ stamp: FleetStamp?) {
        held.append(.reading(reading, stamp, instant))
        world.held(reading.packet)
    }

    func notified(_ device: Int, _ packet: Int) {
        guard links.contains(device) else { return }
        let reading = reading(device, packet, isFromLink: true)
        if isInTouch { send(.reading(reading)) } else { held.append(.reading(reading, nil, instant)) }
    }

    private func reading(_ device: Int, _ packet: Int, isFromLink: Bool) -> WorldReading {
        WorldReading(device: device, packet: packet, isFromLink: isFromLink, gateway: index, stamp: stamp(of: device))
    }

    private func publishHeld() {
        guard let machine else { return }
        let waiting = held
        held = []
        var wanted: Set<String> = []
        for case .reading(let reading, let stamp, let arrival) in waiting {
            let device = world.names[reading.device]
            switch machine.admission(ofHeld: device, stamp, arrival: arrival, at: instant) {
            case .publish: send(.reading(reading))
            case .hold:
                held.append(.reading(reading, stamp, arrival))
                if isInTouch { wanted.insert(device) }
            case .drop: break
            }
        }
        for device in wanted.sorted() { handle(.ownerWanted(device: device)) }
    }

    /// The packets that wait.
    var heldPackets: [Int] {
        held.compactMap {
            if case .reading(let reading, _, _) = $0, !reading.isFromLink { reading.packet } else { nil }
        }
    }

    // MARK: Connections to devices

    /// Keeps the connections to owned devices that are always connected.
    private func watchLinks(_ life: Int) {
        later(0.25) { [self] in
            if isInTouch {
                for device in acting.sorted() where world.kinds[device] == .always { connect(to: device) }
            }
            watchLinks(life)
        }
    }

    private func connect(to device: Int) {
        let isTrying = attempts[device].map { $0 > schedule.now } ?? false
        guard !links.contains(device), !isTrying, links.count < options.slots else { return }
        attempts[device] = schedule.now + 3
        let life = life
        schedule.after(chance.uniform(0.3, 1.5)) { [self] in
            guard self.life == life else { return }
            if world.link(index, device) {
                world.soon(index) { [self] in if self.life == life { linked(device) } }
            } else {
                world.soon(index) { [self] in
                    if self.life == life { handle(.connectFailed(device: world.names[device])) }
                }
            }
        }
    }

    private func linked(_ device: Int) {
        links.insert(device)
        handle(.freeSlots(options.slots - links.count))
        handle(.linked(device: world.names[device], true))
    }

    /// Handles that a device has disconnected.
    func linkLost(_ device: Int) {
        guard machine != nil, links.remove(device) != nil else { return }
        handle(.freeSlots(options.slots - links.count))
        handle(.linked(device: world.names[device], false))
    }

    private func dropLink(_ device: Int) {
        world.unlink(index, device)
        linkLost(device)
    }

    // MARK: Requests

    private func execute(_ id: String, _ request: FleetRequest) {
        let device = world.index(request.device)
        if world.kinds[device] == .never { return finish(id, device, "not_supported") }
        if !links.contains(device) { return finish(id, device, request.remaining <= 0 ? "expired" : "failed") }
        if machine?.owns(request.device) != true { return finish(id, device, "failed") }
        if request.content["write"]?.bool == true { world.wrote(id) }
        later(chance.uniform(0.02, 0.3)) { [self] in finish(id, device, "ok") }
    }

    private func finish(_ id: String, _ device: Int, _ status: String) {
        if world.kinds[device] == .sometimes {
            later(0.5) { [self] in if links.contains(device) { dropLink(device) } }
        }
        responses[id] = (device, status)
        handle(.executed(id))
    }

    private func respond(_ id: String, isInterrupted: Bool) {
        let response = responses.removeValue(forKey: id) ?? (world.device(of: id), "interrupted")
        let status = isInterrupted ? "interrupted" : response.status
        let isNew = answered.insert(id).inserted
        send(
            .response(
                WorldResponse(request: id, device: response.device, status: status, gateway: index, isNew: isNew)))
    }
}

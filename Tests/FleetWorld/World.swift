import Contract
import JSON
import Sharing

/// A simulated world: gateways, devices, their radio, and a broker, which all may fail.
///
/// Every random number comes from the seed, so a world can be repeated.
final class World {
    /// Which directions of the network between a gateway and its broker are cut.
    enum Cut {
        case none, both, up, down

        /// Whether data from the gateway reaches the broker.
        var allowsUp: Bool { self == .none || self == .down }
        /// Whether data from the broker reaches the gateway.
        var allowsDown: Bool { self == .none || self == .up }
    }

    let options: WorldOptions
    let schedule = Schedule()
    let chance: Chance
    /// The names of the devices.
    let names: [String]
    let kinds: [ConnectionNeed]
    let needs: [String: ConnectionNeed]
    private let indices: [String: Int]
    private(set) var broker: WorldBroker!
    private(set) var gateways: [WorldGateway] = []
    private(set) var record = WorldRecord()
    private let radio: WorldRadio

    private var cuts: [Cut]
    private var paused: [Bool]
    /// The events of a stopped process, which it handles when it continues.
    private var postponed: [[(isMessage: Bool, action: () -> Void)]]
    /// The gateway with the connection of each device.
    private var linkOwners: [Int?]
    /// The gateways that act for each device.
    private var actors: [Set<Int>]
    private var presence: WorldPresence
    /// The devices for which two or more gateways act.
    private var contested: Set<Int> = []
    private var seat: (holder: String, end: Double)?
    /// The process that has given the seat back, until the next one takes it.
    private var giver: FleetProcess?
    private var recordedClaims: [String: FleetClaim] = [:]
    private var recordedAnswers: Set<String> = []

    init(seed: Int, _ options: WorldOptions) {
        self.options = options
        let chance = Chance(seed: seed)
        self.chance = chance
        let gatewayNames =
            (0..<options.gateways).map { "gateway\($0)" } + options.twins.map { "gateway\($0)" }
        names = (0..<options.devices).map { "device\($0)" }
        indices = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        kinds = (0..<options.devices).map { _ in
            let number = chance.uniform(0, 1)
            if options.onlyAdvertises || number < 0.6 { return .never }
            return number < 0.9 ? .sometimes : .always
        }
        needs = Dictionary(uniqueKeysWithValues: zip(names, kinds))
        radio = WorldRadio(gateways: gatewayNames.count, options, chance)
        cuts = Array(repeating: .none, count: gatewayNames.count)
        paused = Array(repeating: false, count: gatewayNames.count)
        postponed = Array(repeating: [], count: gatewayNames.count)
        linkOwners = Array(repeating: nil, count: options.devices)
        actors = Array(repeating: [], count: options.devices)
        presence = WorldPresence(gateways: gatewayNames.count)
        broker = WorldBroker(self, options, schedule, chance)
        for (index, name) in gatewayNames.enumerated() {
            gateways.append(WorldGateway(self, index: index, name: name, options, schedule, chance))
        }
        for device in 0..<options.devices {
            schedule.after(chance.uniform(0, options.advertisementInterval)) { [self] in advertise(device, 0) }
        }
        look()
    }

    func index(_ device: String) -> Int {
        guard let index = indices[device] else { preconditionFailure("the device \(device) does not exist") }
        return index
    }

    func cut(_ gateway: Int) -> Cut { cuts[gateway] }

    /// Starts the gateways at random times within 2 s.
    func boot() {
        for gateway in gateways.prefix(options.gateways) {
            schedule.after(chance.uniform(0, 2)) { gateway.boot() }
        }
    }

    func noted(_ notice: FleetNotice, by gateway: WorldGateway) {
        guard case .decider = notice, let key = gateway.followed else { return }
        record.followedKeys += 1
        presence.follow(key, gateway.index, at: schedule.now)
    }

    // MARK: The process of a gateway

    /// Performs an action of the process of a gateway, or postpones it while the process is stopped by SIGSTOP.
    func soon(_ gateway: Int, isMessage: Bool = false, _ action: @escaping () -> Void) {
        if paused[gateway] { postponed[gateway].append((isMessage, action)) } else { action() }
    }

    func arrive(_ message: WorldMessage, _ connection: WorldConnection) {
        let gateway = gateways[connection.gateway]
        guard cut(connection.gateway).allowsDown else {
            connection.incoming.append(message)
            return
        }
        guard gateway.isRunning, gateway.connection === connection else { return }
        soon(connection.gateway, isMessage: true) { gateway.received(message, connection) }
    }

    /// Ends a connection at the gateway.
    func reset(_ connection: WorldConnection) {
        let gateway = gateways[connection.gateway]
        guard gateway.isRunning, gateway.connection === connection, connection.isOpenHere else { return }
        connection.isOpenHere = false
        soon(connection.gateway) { gateway.closed(connection) }
    }

    // MARK: Devices

    private func advertise(_ device: Int, _ number: Int) {
        let interval = options.advertisementInterval * chance.uniform(0.95, 1.05)
        schedule.after(interval) { [self] in advertise(device, number + 1) }
        let packet = number * options.devices + device
        if let holder = linkOwners[device] {
            let gateway = gateways[holder]
            if gateway.isRunning { soon(holder) { gateway.notified(device, packet) } }
            return
        }
        guard kinds[device] == .never else { return }
        let receivers = gateways.filter { gateway in
            radio.receives(device, at: gateway.index) && gateway.isRunning && chance.happens(0.97)
        }
        for gateway in receivers { soon(gateway.index) { gateway.advertised(device, packet) } }
        if !receivers.isEmpty { record.packets += 1 }
    }

    /// Returns the signal strengths that a gateway measures now, by device.
    func sample(_ gateway: Int) -> [String: Int] {
        var levels: [String: Int] = [:]
        for (device, level) in radio.sample(gateway) where linkOwners[device] == nil {
            levels[names[device]] = Int(level.rounded())
        }
        return levels
    }

    func links(of gateway: Int) -> [Int] {
        linkOwners.indices.filter { linkOwners[$0] == gateway }
    }

    /// Connects a gateway to a device; returns whether that succeeds.
    func link(_ gateway: Int, _ device: Int) -> Bool {
        guard linkOwners[device] == nil, radio.receives(device, at: gateway) else {
            return linkOwners[device] == gateway
        }
        linkOwners[device] = gateway
        return true
    }

    func unlink(_ gateway: Int, _ device: Int) {
        if linkOwners[device] == gateway { linkOwners[device] = nil }
    }

    private func loseLinks(of gateway: Int) {
        for device in links(of: gateway) {
            linkOwners[device] = nil
            let gateway = gateways[gateway]
            if gateway.isRunning { soon(gateway.index) { gateway.linkLost(device) } }
        }
    }

    // MARK: Owners

    func setActing(_ gateway: Int, _ device: Int, _ isOn: Bool) {
        if isOn {
            actors[device].insert(gateway)
            record.began(gateway, device, gateways[gateway].stamp(of: device), at: schedule.now) {
                rememberedStamps(of: device, with: gateway)
            }
        } else if actors[device].remove(gateway) != nil, actors[device].isEmpty {
            record.ended(device, at: schedule.now)
        }
        if actors[device].count > 1 { contested.insert(device) } else { contested.remove(device) }
    }

    /// The gateways whose memories the decider of a gateway has, or could have.
    ///
    /// If all gateways that remember something have failed or are cut off, the others cannot know.
    private func present(with gateway: Int) -> [WorldGateway] {
        gateways.filter { other in
            guard other.isRunning else { return false }
            let isMember = other.isInTouch && presence.followSame(other.index, gateway)
            return isMember || !hasTwin(other) && presence.couldReport(other.index, toDeciderOf: gateway)
        }
    }

    /// The stamps of a device that are remembered.
    private func rememberedStamps(of device: Int, with gateway: Int) -> Set<FleetStamp> {
        present(with: gateway).reduce(into: []) { $0.formUnion($1.stamps(of: device)) }
    }

    /// Whether another process with the name of a gateway runs.
    private func hasTwin(_ gateway: WorldGateway) -> Bool {
        gateways.contains { $0 !== gateway && $0.name == gateway.name && $0.isRunning }
    }

    /// Whether the messages of a gateway do not reach its broker now, or those of the broker do not reach the gateway.
    private func isDisturbed(_ gateway: WorldGateway) -> Bool {
        !gateway.isConnected || cuts[gateway.index] != .none || paused[gateway.index] || broker.isSilent
    }

    /// Looks each 100 ms for two owners that are both in touch with the broker.
    private func look() {
        presence.look(at: schedule.now, isDisturbed: gateways.map(isDisturbed)) { [self] one, other in
            broker.areJoined(one % options.nodes, other % options.nodes)
        }
        for device in contested {
            var sides: [Int: Int] = [:]
            for index in actors[device] {
                let gateway = gateways[index]
                guard gateway.isInTouch, cuts[index] == .none, !paused[index] else { continue }
                sides[options.hasSeat ? 0 : broker.sides[index % options.nodes] ?? 0, default: 0] += 1
            }
            if sides.values.contains(where: { $0 > 1 }) { record.doubleOwnership += 0.1 }
        }
        schedule.after(0.1) { [self] in look() }
    }

    // MARK: The subscribers

    /// A subscriber at a node receives a message.
    func consumed(_ message: WorldMessage, at node: Int) {
        switch message {
        case .reading(let reading):
            record.consumed(reading, at: node) { rememberedStamps(of: reading.device, with: reading.gateway) }
        case .response(let response):
            record.consumed(response, at: node) {
                present(with: response.gateway).contains {
                    $0.index != response.gateway && $0.remembers(answerTo: response.request)
                }
            }
        default: break
        }
    }

    func held(_ packet: Int) {
        record.heldPackets.insert(packet)
    }

    func wrote(_ request: String) {
        record.wrote(request)
    }

    func reached(_ request: String, _ gateway: Int, _ start: String) {
        record.receivers[request, default: []].insert(.init(gateway: gateway, start: start))
    }

    /// A client publishes a request at a node.
    func ask(_ id: String, _ device: Int, isWrite: Bool, at node: Int) {
        record.asked[id] = device
        let request = FleetRequest(
            device: names[device], remaining: Int(WorldOptions.timeToLive * 1000), content: ["write": .bool(isWrite)])
        broker.route(.request(id, request), from: node)
    }

    func device(of request: String) -> Int { record.asked[request] ?? 0 }

    // MARK: The seat

    /// The engine of the seat answers on the side of the majority of a split; it never fails itself.
    ///
    /// - Returns: What is recorded, and the process that has given the seat back; nil: the gateway does not get the seat.
    func takeSeat(
        _ gateway: WorldGateway
    ) -> (begun: [String: FleetClaim], answered: [String], giver: FleetProcess?)? {
        guard reachesSeat(gateway) else { return nil }
        if let seat, seat.holder != gateway.start, schedule.now < seat.end { return nil }
        seat = (gateway.start, schedule.now + 3)
        defer { giver = nil }
        return (recordedClaims, recordedAnswers.sorted(), giver)
    }

    /// A gateway gives the seat back when it stops.
    func releaseSeat(_ gateway: WorldGateway) {
        guard reachesSeat(gateway), let seat, seat.holder == gateway.start, schedule.now < seat.end else { return }
        self.seat = nil
        giver = FleetProcess(gateway: gateway.name, start: gateway.start)
    }

    private func reachesSeat(_ gateway: WorldGateway) -> Bool {
        cuts[gateway.index] == .none && broker.sides[gateway.index % options.nodes] ?? 0 == 0
    }

    func recordClaims(_ claims: [String: FleetClaim]) {
        recordedClaims.merge(claims) { old, _ in old }
    }

    func recordAnswers(_ ids: [String]) {
        for id in ids { recordedClaims[id] = nil }
        recordedAnswers.formUnion(ids)
    }

    // MARK: Faults

    private func connectionEnded(_ connection: WorldConnection?, of gateway: Int) {
        guard let connection else { return }
        guard cuts[gateway] == .none else { return broker.silence(connection) }
        schedule.at(max(schedule.now + 0.002, connection.lastUp + 0.0001)) { [self] in broker.broke(connection) }
    }

    private func bootLater(_ gateway: WorldGateway, _ seconds: Double?) {
        guard let seconds else { return }
        schedule.after(seconds) { gateway.boot() }
    }

    /// Kills the process with SIGKILL.
    func kill(_ index: Int, restart: Double? = nil) {
        let gateway = gateways[index]
        guard gateway.isRunning else { return }
        let connection = gateway.connection
        gateway.crash()
        postponed[index] = []
        connectionEnded(connection, of: index)
        bootLater(gateway, restart)
        if restart == nil { schedule.after(1) { [self] in if !gateway.isRunning { loseLinks(of: index) } } }
    }

    /// Cuts the power.
    func cutPower(_ index: Int, restart: Double? = nil) {
        let gateway = gateways[index]
        guard gateway.isRunning else { return }
        let connection = gateway.connection
        gateway.crash()
        postponed[index] = []
        if let connection { broker.silence(connection) }
        for device in links(of: index) {
            schedule.after(chance.uniform(0.4, 4)) { [self] in unlink(index, device) }
        }
        bootLater(gateway, restart.map { max(4.5, $0) })
    }

    /// Stops the process with SIGTERM.
    func stop(_ index: Int, restart: Double? = nil) {
        let gateway = gateways[index]
        guard gateway.isRunning, !paused[index] else { return }
        gateway.stop()
        bootLater(gateway, restart)
    }

    /// Stops the process with SIGSTOP.
    ///
    /// When it continues, everything happens at once, and messages and timers in any order.
    func pause(_ index: Int, _ seconds: Double) {
        guard !paused[index], gateways[index].isRunning else { return }
        paused[index] = true
        let connection = gateways[index].connection
        if let connection { broker.silence(connection) }
        schedule.after(seconds) { [self] in
            paused[index] = false
            if let connection, connection.isOpenThere, cuts[index] == .none { connection.silentSince = nil }
            let waiting = postponed[index]
            postponed[index] = []
            var messages = waiting.filter(\.isMessage)[...]
            var others = waiting.filter { !$0.isMessage }[...]
            while !messages.isEmpty || !others.isEmpty {
                let share = Double(messages.count) / Double(messages.count + others.count)
                let next = chance.happens(share) ? messages.popFirst() : others.popFirst()
                next?.action()
            }
        }
    }

    /// Cuts the network between a gateway and its broker.
    func cutNetwork(_ index: Int, _ seconds: Double, _ cut: Cut = .both) {
        guard cuts[index] == .none else { return }
        cuts[index] = cut
        for connection in broker.connections(of: index) {
            broker.silence(connection)
            guard cut == .down else { continue }
            schedule.after(WorldOptions.socketTimeout + 1) { [self] in
                if cuts[index] == .down, connection.isOpenHere { reset(connection) }
            }
        }
        schedule.after(seconds) { [self] in healNetwork(index) }
    }

    private func healNetwork(_ index: Int) {
        cuts[index] = .none
        let gateway = gateways[index]
        if gateway.isRunning, let connection = gateway.connection, !connection.isOpenThere {
            schedule.after(0.01) { [self] in reset(connection) }
        }
        for connection in broker.connections(of: index) {
            if gateway.isRunning, gateway.connection === connection, connection.isOpenHere, connection.isOpenThere {
                broker.resume(connection)
            } else {
                broker.broke(connection)
            }
        }
    }

    /// The radio of a gateway receives nothing.
    func deafen(_ index: Int, _ seconds: Double) {
        radio.setDeaf(index, true)
        loseLinks(of: index)
        schedule.after(seconds) { [self] in radio.setDeaf(index, false) }
    }

    /// Starts another machine with the name of a gateway; with its state folder, it is a clone.
    func startTwin(_ index: Int, isClone: Bool) {
        let gateway = gateways[index]
        guard !gateway.isRunning else { return }
        if isClone, let original = gateways.first(where: { $0.name == gateway.name }) {
            gateway.copyMemory(of: original)
        }
        gateway.boot()
    }

    /// Kills, powers off or stops the gateway that decides.
    func failDecider(_ seconds: Double) {
        for gateway in gateways where gateway.isDeciding {
            let number = chance.uniform(0, 1)
            if number >= 0.7 { return pause(gateway.index, seconds) }
            return number < 0.4
                ? kill(gateway.index, restart: seconds) : cutPower(gateway.index, restart: seconds)
        }
    }

    func loseFolder(_ index: Int, restart: Double) {
        kill(index, restart: restart)
        gateways[index].loseMemory()
    }

    // MARK: At the end

    /// Returns the number of devices without exactly one owner that the one decider has in its table.
    func disagreements() -> Int {
        let deciders = gateways.filter { $0.isRunning && $0.isDeciding }
        guard deciders.count == 1, let owners = deciders.first?.owners else { return options.devices }
        return names.indices.count { device in
            guard actors[device].count == 1, let actor = actors[device].first else { return true }
            return owners[names[device]] != gateways[actor].name
        }
    }

    /// Returns how much weaker the owner of each device receives it than the best gateway, in dB, in ascending order.
    func placementLosses() -> [Double] {
        names.indices.compactMap { device in
            actors[device].first.map { radio.best(device) - radio.mean(device, at: $0) }
        }.sorted()
    }

    /// The devices for which a gateway acts.
    func devices(of gateway: Int) -> [Int] {
        names.indices.filter { actors[$0].contains(gateway) }
    }

    /// The gateways that act for each device.
    var owners: [Set<Int>] { actors }

    var ownedCount: Int { actors.count { $0.count == 1 } }

    /// The packets that gateways have held and none has published, apart from those that still wait.
    var lostPackets: Set<Int> {
        record.heldPackets.filter { !record.isTold($0) }.subtracting(gateways.flatMap(\.heldPackets))
    }

    /// Ends the world: nothing happens any more.
    func end() {
        schedule.clear()
    }

    /// Forgets when devices had no owner.
    func clearGaps() {
        record.clearGaps()
    }

    /// Whether a gateway that received the request lives on.
    func hasSurvivingReceiver(_ request: String) -> Bool {
        record.receivers[request, default: []].contains { receiver in
            let gateway = gateways[receiver.gateway]
            return gateway.isRunning && gateway.start == receiver.start && gateway.isConfirmed
        }
    }
}

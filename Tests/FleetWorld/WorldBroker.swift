/// One TCP connection of a gateway: either end may detect its end before the other one.
final class WorldConnection {
    let gateway: Int
    let node: Int
    let start: String
    /// The number of the connection of this process.
    let number: Int
    /// Whether the gateway uses the connection.
    var isOpenHere = true
    /// Whether the broker uses the connection.
    var isOpenThere = true
    /// Whether the gateway subscribes to the reports of all gateways.
    var readsReports = false
    /// Messages that the broker has not acknowledged, with numbers.
    var outgoing: [(number: Int, message: WorldMessage)] = []
    /// Messages that cannot reach the gateway now.
    var incoming: [WorldMessage] = []
    var lastUp = 0.0
    var lastDown = 0.0
    /// Since when the broker receives nothing; nil: it receives packets.
    var silentSince: Double?

    init(gateway: Int, node: Int, start: String, number: Int) {
        self.gateway = gateway
        self.node = node
        self.start = start
        self.number = number
    }
}

/// The nodes of a cluster of brokers.
///
/// The messages of one publisher to one subscriber keep their order, and no others do (MQTT 5, 4.6).
final class WorldBroker {
    private unowned let world: World
    private let schedule: Schedule
    private let chance: Chance
    private let options: WorldOptions
    /// The side of a split on which a node is.
    private(set) var sides: [Int: Int] = [:]
    private var oneWays: Set<[Int]> = []
    private(set) var isDown = false
    private var stalledUntil = 0.0
    /// Whether the broker delivers nothing now.
    var isSilent: Bool { isDown || schedule.now < stalledUntil }
    private(set) var connections: [WorldConnection] = []
    private var lastArrivals: [[Int]: Double] = [:]
    private var lastNumber = 0
    private(set) var published = 0
    private(set) var delivered = 0

    init(_ world: World, _ options: WorldOptions, _ schedule: Schedule, _ chance: Chance) {
        self.world = world
        self.options = options
        self.schedule = schedule
        self.chance = chance
    }

    private func reaches(_ from: Int, _ to: Int) -> Bool {
        from == to || (sides[from] ?? 0) == (sides[to] ?? 0) && !oneWays.contains([from, to])
    }

    /// Whether two nodes deliver to each other now.
    func areJoined(_ one: Int, _ other: Int) -> Bool { reaches(one, other) && reaches(other, one) }

    private func hop(_ from: Int, _ to: Int) -> Double {
        var delay = chance.uniform(0.0005, 0.004)
        if from != to { delay += chance.uniform(0.001, 0.02) }
        if options.slow > 0, chance.happens(options.slow) { delay += chance.uniform(0.05, 0.4) }
        return delay
    }

    // MARK: From a gateway

    /// Sends a message: the gateway has written it to its socket.
    func send(_ message: WorldMessage, _ connection: WorldConnection) {
        lastNumber += 1
        connection.outgoing.append((lastNumber, message))
        transmit(connection)
    }

    private func transmit(_ connection: WorldConnection) {
        guard connection.isOpenThere, world.cut(connection.gateway).allowsUp else { return hang(connection) }
        let arrival = max(connection.lastUp, schedule.now + hop(connection.node, connection.node), stalledUntil)
        connection.lastUp = arrival
        schedule.at(arrival) { [self] in took(connection) }
    }

    /// Ends the connection after 2.25 s without an acknowledgement of the kernel of the broker (`TCP_USER_TIMEOUT`).
    private func hang(_ connection: WorldConnection) {
        guard let first = connection.outgoing.first?.number else { return }
        schedule.after(WorldOptions.socketTimeout) { [self] in
            guard connection.isOpenHere, connection.outgoing.first?.number == first,
                world.cut(connection.gateway) != .none
            else { return }
            world.reset(connection)
        }
    }

    private func took(_ connection: WorldConnection) {
        guard connection.isOpenThere, !isDown, !connection.outgoing.isEmpty else { return }
        guard world.cut(connection.gateway).allowsUp else { return hang(connection) }
        route(connection.outgoing.removeFirst().message, from: connection.node)
    }

    // MARK: To the subscribers

    /// Delivers a message that a node has received.
    func route(_ message: WorldMessage, from node: Int) {
        published += 1
        switch message {
        case .reading, .response:
            for target in 0..<options.nodes where reaches(node, target) { world.consumed(message, at: target) }
        case .report, .decision, .will, .request:
            let parsed = options.usesJSON ? message.throughJSON : message
            for connection in connections where connection.isOpenThere && reaches(node, connection.node) {
                if case .report(let name, _) = message, !connection.readsReports,
                    world.gateways[connection.gateway].name != name
                {
                    continue
                }
                if connection.node != node, options.loss > 0, chance.happens(options.loss) { continue }
                delivered += 1
                forward(parsed, from: node, connection)
            }
        }
    }

    private func forward(_ message: WorldMessage, from node: Int, _ connection: WorldConnection) {
        guard node != connection.node else { return stream(message, connection) }
        let arrival = max(
            lastArrivals[[connection.node, node]] ?? 0, schedule.now + hop(node, connection.node), stalledUntil)
        lastArrivals[[connection.node, node]] = arrival
        schedule.at(arrival) { [self] in stream(message, connection) }
    }

    /// Sends a message to a client; there is one TCP stream from its node.
    private func stream(_ message: WorldMessage, _ connection: WorldConnection) {
        guard world.cut(connection.gateway).allowsDown else {
            connection.incoming.append(message)
            return
        }
        let arrival = max(connection.lastDown, schedule.now + hop(connection.node, connection.node), stalledUntil)
        connection.lastDown = arrival
        schedule.at(arrival) { [self] in world.arrive(message, connection) }
    }

    // MARK: Connections

    func accept(_ connection: WorldConnection) {
        connections.append(connection)
    }

    func connections(of gateway: Int) -> [WorldConnection] {
        connections.filter { $0.gateway == gateway }
    }

    /// Ends a connection without DISCONNECT: the broker publishes its will.
    func broke(_ connection: WorldConnection) {
        guard connection.isOpenThere else { return }
        connection.isOpenThere = false
        connections.removeAll { $0 === connection }
        if !isDown {
            let name = world.gateways[connection.gateway].name
            route(.will(name, start: connection.start, connection: connection.number), from: connection.node)
        }
        if connection.isOpenHere, world.cut(connection.gateway) == .none {
            schedule.after(0.01) { [self] in world.reset(connection) }
        }
    }

    /// Nothing arrives on a connection any more: its keep-alive expires.
    func silence(_ connection: WorldConnection) {
        let since = schedule.now
        connection.silentSince = since
        schedule.after(1.5 * options.keepAlive + chance.uniform(0, options.keepAliveScan)) { [self] in
            if connection.isOpenThere, connection.silentSince == since { broke(connection) }
        }
    }

    /// Transmits again what a cut has held.
    func resume(_ connection: WorldConnection) {
        connection.silentSince = nil
        let (incoming, outgoing) = (connection.incoming, connection.outgoing)
        (connection.incoming, connection.outgoing) = ([], [])
        for message in incoming { stream(message, connection) }
        for (_, message) in outgoing { send(message, connection) }
    }

    // MARK: Faults

    func restart(_ seconds: Double) {
        guard !isDown else { return }
        isDown = true
        for connection in connections {
            connection.isOpenThere = false
            if connection.isOpenHere, world.cut(connection.gateway) == .none {
                schedule.after(0.01) { [self] in world.reset(connection) }
            }
        }
        connections = []
        schedule.after(seconds) { [self] in isDown = false }
    }

    func split(_ seconds: Double) {
        for node in 0..<options.nodes { sides[node] = node >= max(1, options.nodes / 2 + 1) ? 1 : 0 }
        schedule.after(seconds) { [self] in sides = [:] }
    }

    /// Loses what one node sends to the next one.
    func loseOneWay(from node: Int, _ seconds: Double) {
        let way = [node, (node + 1) % options.nodes]
        oneWays.insert(way)
        schedule.after(seconds) { [self] in oneWays.remove(way) }
    }

    func stall(_ seconds: Double) {
        stalledUntil = schedule.now + seconds
    }
}

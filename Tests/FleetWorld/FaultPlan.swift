/// The faults and the requests of a faulty world.
struct FaultPlan {
    /// The time after which no fault begins, in seconds.
    static let end = 90.0

    private enum Fault: String, CaseIterable {
        case kill, killAndRestart, power, powerAndRestart, stop, stopAndRestart, cut, cutUp, cutDown, pause, pauseAgain
        case broker, stall, radio, split, oneWay, lostFolder, decider
    }

    /// The faults with their times in seconds, for a message.
    private(set) var texts: [String] = []
    /// Whether the cluster splits, or loses messages in one direction.
    private(set) var isSplit = false

    /// Plans the faults and the requests of a world.
    init(_ world: World, _ chance: Chance) {
        let options = world.options
        for _ in options.twins {
            let time = chance.uniform(0, Self.end)
            let isClone = chance.happens(0.5)
            texts.append("\(Int(time)) s \(isClone ? "clone" : "twin") of gateway\(options.twins[0])")
            world.schedule.at(time) { world.startTwin(options.gateways, isClone: isClone) }
        }
        for _ in 0..<chance.integer(1...6) { addFault(world, chance) }
        for number in 0..<40 {
            let time = chance.uniform(10, Self.end + 5)
            let device = chance.integer(0...options.devices - 1)
            let isWrite = chance.happens(0.7)
            let node = chance.integer(0...options.nodes - 1)
            world.schedule.at(time) { world.ask("request\(number)", device, isWrite: isWrite, at: node) }
        }
    }

    private mutating func addFault(_ world: World, _ chance: Chance) {
        let time = chance.uniform(12, Self.end)
        let gateway = chance.integer(0...world.options.gateways - 1)
        var fault = chance.pick(Fault.allCases)
        if world.options.nodes == 1, fault == .split || fault == .oneWay { fault = .cut }
        let (short, long) = (chance.uniform(0.3, 4), chance.uniform(4, 25))
        let seconds = chance.happens(0.5) ? short : long
        texts.append("\(Int(time)) s \(fault.rawValue) gateway\(gateway) for \(Int(seconds * 10)) × 100 ms")
        isSplit = isSplit || fault == .split || fault == .oneWay
        world.schedule.at(time) {
            // The last gateway never fails.
            guard world.gateways.prefix(world.options.gateways).count(where: { $0.isRunning }) > 1 else { return }
            Self.begin(fault, gateway, seconds, world)
        }
    }

    private static func begin(_ fault: Fault, _ gateway: Int, _ seconds: Double, _ world: World) {
        switch fault {
        case .kill: world.kill(gateway)
        case .killAndRestart: world.kill(gateway, restart: seconds)
        case .power: world.cutPower(gateway)
        case .powerAndRestart: world.cutPower(gateway, restart: seconds + 2)
        case .stop: world.stop(gateway)
        case .stopAndRestart: world.stop(gateway, restart: seconds)
        case .cut: world.cutNetwork(gateway, seconds)
        case .cutUp: world.cutNetwork(gateway, seconds, .up)
        case .cutDown: world.cutNetwork(gateway, seconds, .down)
        case .pause, .pauseAgain: world.pause(gateway, seconds)
        case .broker: world.broker.restart(min(seconds, 8))
        case .stall: world.broker.stall(min(seconds, 6))
        case .radio: world.deafen(gateway, seconds)
        case .split: world.broker.split(seconds)
        case .oneWay: world.broker.loseOneWay(from: gateway % world.options.nodes, seconds)
        case .lostFolder: world.loseFolder(gateway, restart: seconds)
        case .decider: world.failDecider(seconds)
        }
    }
}

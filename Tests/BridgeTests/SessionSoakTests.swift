import Configuration
import TestSupport
import Testing

@testable import Bridge

/// Sessions in a world in which anything may happen at any moment, played thousands of times.
@Suite struct SessionSoakTests {
    private static let runs = 1500
    private static let steps = 120

    /// The session's world: the link, the operations that are under way, and the timers.
    private struct World {
        /// An operation under way, with the generation of links that it belongs to.
        struct Operation {
            let action: SessionAction
            let generation: Int
        }

        var session: Session
        var random: SeededGenerator
        var isUp = false
        var isBluetoothOn = false
        var demands = 0
        var operations: [Operation] = []
        var timers: Set<SessionTimer> = []
        var subscribed: Set<String> = []
        var collections = 0
        var mistakes: [String] = []
        private var generation = 0
        let characteristics: Set<String> = ["temperature", "battery_level", "output"]

        init(_ plan: SessionPlan, seed: Int) {
            session = Session(plan)
            random = SeededGenerator(seed: seed)
        }

        mutating func tell(_ event: SessionEvent) {
            for action in session.handle(event) { take(action) }
            if session.missing != nil, !session.isWaitingForSlot, !timers.contains(.within) {
                mistakes.append("\(event) leaves a collecting session without an end")
            }
        }

        private mutating func take(_ action: SessionAction) {
            switch action {
            case .schedule(let timer, _): timers.insert(timer)
            case .cancel(let timer): timers.remove(timer)
            case .collected: collections += 1
            case .stopSeeking: operations.removeAll { $0.action == .seek }
            case .reportMissing, .serve: break
            case .seek:
                generation += 1
                begin(action)
            case .end, .clearCache, .forgetBond:
                // Attempts and operations are given up.
                operations = []
                begin(action)
            case .connect, .pair, .discover, .subscribe, .read: begin(action)
            }
        }

        private mutating func begin(_ action: SessionAction) {
            if Self.isOnLink(action), !isUp { mistakes.append("\(action) without a link") }
            let rivals = operations.filter { !Self.isOnLink($0.action) && $0.generation == generation }
            if action == .connect, rivals.contains(where: { $0.action == .connect }) {
                mistakes.append("two attempts to connect at once")
            }
            operations.append(Operation(action: action, generation: generation))
        }

        private static func isOnLink(_ action: SessionAction) -> Bool {
            switch action {
            case .pair, .subscribe, .read: true
            default: false
            }
        }

        // MARK: What happens

        private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

        /// The link goes, and with it what goes on over it.
        mutating func lose() {
            guard isUp else { return }
            isUp = false
            subscribed = []
            operations = operations.filter { !Self.isOnLink($0.action) }
            tell(.linkLost)
        }

        mutating func switchBluetooth(on: Bool) {
            guard on != isBluetoothOn else { return }
            if !on {
                lose()
                operations = operations.filter { [.end, .clearCache, .forgetBond].contains($0.action) }
            }
            isBluetoothOn = on
            tell(.bluetoothChanged(isOn: on))
        }

        /// An operation ends, one way or the other.
        mutating func finish(_ index: Int, well: Bool) {
            // Who is not heard is waited for.
            if operations[index].action == .seek, !well || !isBluetoothOn { return }
            let operation = operations.remove(at: index)
            guard let event = outcome(of: operation.action, well: well) else { return }
            if operation.generation == generation { tell(event) }
        }

        private mutating func outcome(of action: SessionAction, well: Bool) -> SessionEvent? {
            switch action {
            case .seek: return .found
            case .connect:
                guard well && isBluetoothOn else {
                    return chance(20) ? .bondLost(reason: "no keys") : .connectFailed(reason: "it did not answer")
                }
                isUp = true
                return .connected
            case .pair: return well ? .paired : .pairingFailed(reason: "it was refused")
            case .discover:
                guard well && isUp else { return .discoveryFailed(reason: "nothing was found") }
                return .discovered(present: characteristics)
            case .subscribe(let name):
                guard well else { return .subscribeFailed(name, isFinal: false) }
                subscribed.insert(name)
                return nil
            case .read(let name):
                return well ? .obtained(name, isNotification: false) : .readFailed(name)
            case .end, .clearCache, .forgetBond:
                if isUp {
                    isUp = false
                    subscribed = []
                    tell(.linkLost)
                }
                return .ended
            default: return nil
            }
        }

        mutating func step() {
            switch Int.random(in: 0..<22, using: &random) {
            case 0..<9:
                guard !operations.isEmpty else { return }
                finish(Int.random(in: operations.indices, using: &random), well: chance(70))
            case 9..<12:
                guard let timer = timers.sorted(by: { "\($0)" < "\($1)" }).randomElement(using: &random) else { return }
                timers.remove(timer)
                tell(.timerFired(timer))
            case 12: lose()
            case 13: switchBluetooth(on: chance(70))
            case 14: if isUp { tell(.servicesChanged) }
            case 15:
                demands += 1
                tell(.demanded)
            case 16:
                guard demands > 0 else { return }
                demands -= 1
                tell(.demandEnded)
            case 17: tell(.collectRequested)
            case 18: tell(chance(50) ? .slotRecalled : .waitingForSlot)
            case 19: if isUp { tell(.bondRefused("temperature")) }
            case 20: if isUp { tell(.linkStuck(reason: "nothing is answered")) }
            default: if chance(30) { tell(.letGo(pause: chance(50) ? .seconds(60) : nil)) }
            }
        }

        /// The world is well again, for as long as it takes.
        mutating func recover() {
            switchBluetooth(on: true)
            while demands > 0 {
                demands -= 1
                tell(.demandEnded)
            }
            for _ in 0..<40 {
                while !operations.isEmpty { finish(0, well: true) }
                for name in subscribed.sorted() { tell(.obtained(name, isNotification: true)) }
                // The hours between the sessions are not waited for.
                for timer in timers.sorted(by: { "\($0)" < "\($1)" }) where timer != .due && timer != .quiet {
                    timers.remove(timer)
                    tell(.timerFired(timer))
                }
            }
        }
    }

    private static func plan(_ connect: String, pair: Bool) throws -> SessionPlan {
        let configuration = try Configuration(
            yaml: """
                devices:
                  sensor:
                    address: C0:00:00:00:00:01
                    connect: \(connect)
                    pair: \(pair)
                    characteristics:
                      temperature: {service: 181A, subscribe: true}
                      battery_level: {service: 180F, read: 1h}
                      output: {service: 1815, uuid: 2A56, write: true}
                """, file: "test.yaml")
        return SessionPlan(configuration.devices[0])
    }

    private static func play(_ plan: SessionPlan, seed: Int) -> World {
        var world = World(plan, seed: seed)
        world.tell(.started)
        world.switchBluetooth(on: true)
        for _ in 0..<steps { world.step() }
        world.recover()
        return world
    }

    @Test(arguments: [false, true])
    func `always: whatever happened, it ends up connected and subscribed`(pair: Bool) throws {
        let plan = try Self.plan("always", pair: pair)
        for seed in 0..<Self.runs {
            var world = Self.play(plan, seed: seed)
            // One that was let go is wanted again.
            if world.session.phase == .idle {
                world.tell(.demanded)
                world.tell(.demandEnded)
                world.recover()
            }
            #expect(world.session.phase == .ready, "seed \(seed)")
            #expect(world.subscribed == ["temperature"], "seed \(seed)")
            #expect(world.mistakes.isEmpty, "seed \(seed)")
        }
    }

    @Test(arguments: [false, true])
    func `every: whatever happened, the link is down between the sessions, and the next has its values`(pair: Bool)
        throws
    {
        let plan = try Self.plan("every 10m", pair: pair)
        for seed in 0..<Self.runs {
            var world = Self.play(plan, seed: seed)
            #expect(world.session.phase == .idle && !world.isUp, "seed \(seed)")
            let collections = world.collections
            world.timers.remove(.due)
            world.tell(.timerFired(.due))
            world.recover()
            #expect(world.collections > collections, "seed \(seed)")
            #expect(world.session.phase == .idle && !world.isUp, "seed \(seed)")
            #expect(world.session.missing == nil, "seed \(seed)")
            #expect(world.mistakes.isEmpty, "seed \(seed)")
        }
    }

    @Test(arguments: [false, true])
    func `on demand: whatever happened, a command is served, and the link goes when it has been held`(pair: Bool) throws
    {
        let plan = try Self.plan("on demand", pair: pair)
        for seed in 0..<Self.runs {
            var world = Self.play(plan, seed: seed)
            world.tell(.demanded)
            for _ in 0..<50 {
                while !world.operations.isEmpty { world.finish(0, well: true) }
                if world.timers.remove(.retry) != nil { world.tell(.timerFired(.retry)) }
            }
            #expect(world.session.phase == .ready, "seed \(seed)")
            world.tell(.demandEnded)
            world.recover()
            #expect(world.session.phase == .idle && !world.isUp, "seed \(seed)")
            #expect(world.mistakes.isEmpty, "seed \(seed)")
        }
    }
}

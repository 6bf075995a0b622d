import Configuration
import System
import TestSupport
import Testing

@testable import Devices

/// Sessions in a simulated world with random events.
@Suite struct SessionSoakTests {
    private static let runs = 1500
    private static let steps = 120

    /// The environment of a session: the connection, the running operations and the timers.
    private struct World {
        /// A running operation, with the number of the connection that it belongs to.
        struct Operation {
            let action: SessionAction
            let connection: Int
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
        var violations: [String] = []
        private var connection = 0
        let characteristics: Set<String> = ["temperature", "battery_level", "output"]

        init(_ plan: SessionPlan, seed: Int) {
            session = Session(plan)
            random = SeededGenerator(seed: seed)
        }

        mutating func send(_ event: SessionEvent) {
            for action in session.handle(event) { take(action) }
            if session.missing != nil, !session.isWaitingForSlot, !timers.contains(.within) {
                violations.append("\(event) leaves a collecting session without an end")
            }
        }

        private mutating func take(_ action: SessionAction) {
            switch action {
            case .schedule(let timer, _): timers.insert(timer)
            case .cancel(let timer): timers.remove(timer)
            case .collected: collections += 1
            case .stopSeeking: operations.removeAll { $0.action == .seek }
            case .reportMissing, .reportSubscription, .reportRead, .executeCommands: break
            case .seek:
                connection += 1
                begin(action)
            case .end, .clearCache, .forgetBond:
                // All running operations are cancelled.
                operations = []
                begin(action)
            case .connect, .pair, .discover, .subscribe, .read: begin(action)
            }
        }

        private mutating func begin(_ action: SessionAction) {
            if Self.isOnLink(action), !isUp { violations.append("\(action) without a link") }
            let rivals = operations.filter { !Self.isOnLink($0.action) && $0.connection == connection }
            if action == .connect, rivals.contains(where: { $0.action == .connect }) {
                violations.append("two attempts to connect at once")
            }
            operations.append(Operation(action: action, connection: connection))
        }

        private static func isOnLink(_ action: SessionAction) -> Bool {
            switch action {
            case .pair, .subscribe, .read: true
            default: false
            }
        }

        // MARK: Events

        private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

        /// Ends the connection and its operations.
        mutating func lose() {
            guard isUp else { return }
            isUp = false
            subscribed = []
            operations = operations.filter { !Self.isOnLink($0.action) }
            send(.connectionLost)
        }

        mutating func switchBluetooth(on: Bool) {
            guard on != isBluetoothOn else { return }
            if !on {
                lose()
                operations = operations.filter { [.end, .clearCache, .forgetBond].contains($0.action) }
            }
            isBluetoothOn = on
            send(.bluetoothChanged(isOn: on))
        }

        /// Ends an operation with success or failure.
        mutating func finish(_ index: Int, well: Bool) {
            // A device that is not seen is waited for.
            if operations[index].action == .seek, !well || !isBluetoothOn { return }
            let operation = operations.remove(at: index)
            guard let event = outcome(of: operation.action, well: well) else { return }
            if operation.connection == connection { send(event) }
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
                guard well else { return .subscribeFailed(name, isFinal: false, reason: "failed") }
                subscribed.insert(name)
                return .subscribed(name)
            case .read(let name):
                return well ? .obtained(name, isNotification: false) : .readFailed(name)
            case .end, .clearCache, .forgetBond:
                if isUp {
                    isUp = false
                    subscribed = []
                    send(.connectionLost)
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
                send(.timerFired(timer))
            case 12: lose()
            case 13: switchBluetooth(on: chance(70))
            case 14: if isUp { send(.servicesChanged) }
            case 15:
                demands += 1
                send(.commandQueued)
            case 16:
                guard demands > 0 else { return }
                demands -= 1
                send(.commandFinished)
            case 17: send(.collectRequested)
            case 18: send(chance(50) ? .slotRecalled(for: "other") : .waitingForSlot)
            case 19: if isUp { send(.bondRefused("temperature")) }
            case 20: if isUp { send(.connectionStuck(reason: "nothing is answered")) }
            default: if chance(30) { send(.disconnectRequested(pause: chance(50) ? .seconds(60) : nil)) }
            }
        }

        /// Lets everything succeed until the session is stable.
        mutating func recover() {
            switchBluetooth(on: true)
            while demands > 0 {
                demands -= 1
                send(.commandFinished)
            }
            for _ in 0..<40 {
                while !operations.isEmpty { finish(0, well: true) }
                for name in subscribed.sorted() { send(.obtained(name, isNotification: true)) }
                // The long timers are skipped.
                for timer in timers.sorted(by: { "\($0)" < "\($1)" }) where timer != .due && timer != .quiet {
                    timers.remove(timer)
                    send(.timerFired(timer))
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
                    renew_bond: true
                    characteristics:
                      temperature: {service: 181A, subscribe: true}
                      battery_level: {service: 180F, read: 1h}
                      output: {service: 1815, uuid: 2A56, write: true}
                """, file: "test.yaml")
        return SessionPlan(configuration.devices[0])
    }

    private static func run(_ plan: SessionPlan, seed: Int) -> World {
        var world = World(plan, seed: seed)
        world.send(.started)
        world.switchBluetooth(on: true)
        for _ in 0..<steps { world.step() }
        world.recover()
        return world
    }

    @Test(arguments: [false, true])
    func `always: after any course of events the device ends up connected and subscribed`(pair: Bool) throws {
        let plan = try Self.plan("always", pair: pair)
        for seed in 0..<Self.runs {
            var world = Self.run(plan, seed: seed)
            // A disconnected device needs a command.
            if world.session.phase == .idle {
                world.send(.commandQueued)
                world.send(.commandFinished)
                world.recover()
            }
            #expect(world.session.phase == .ready, "seed \(seed)")
            #expect(world.subscribed == ["temperature"], "seed \(seed)")
            #expect(world.violations.isEmpty, "seed \(seed)")
        }
    }

    @Test(arguments: [false, true])
    func `every: after any course of events the next session is complete and disconnects`(pair: Bool)
        throws
    {
        let plan = try Self.plan("every 10m", pair: pair)
        for seed in 0..<Self.runs {
            var world = Self.run(plan, seed: seed)
            #expect(world.session.phase == .idle && !world.isUp, "seed \(seed)")
            let collections = world.collections
            world.timers.remove(.due)
            world.send(.timerFired(.due))
            world.recover()
            #expect(world.collections > collections, "seed \(seed)")
            #expect(world.session.phase == .idle && !world.isUp, "seed \(seed)")
            #expect(world.session.missing == nil, "seed \(seed)")
            #expect(world.violations.isEmpty, "seed \(seed)")
        }
    }

    @Test(arguments: [false, true])
    func `on demand: after any course of events a command connects, and the hold ends`(pair: Bool) throws {
        let plan = try Self.plan("on demand", pair: pair)
        for seed in 0..<Self.runs {
            var world = Self.run(plan, seed: seed)
            world.send(.commandQueued)
            for _ in 0..<50 {
                while !world.operations.isEmpty { world.finish(0, well: true) }
                if world.timers.remove(.retry) != nil { world.send(.timerFired(.retry)) }
            }
            #expect(world.session.phase == .ready, "seed \(seed)")
            world.send(.commandFinished)
            world.recover()
            #expect(world.session.phase == .idle && !world.isUp, "seed \(seed)")
            #expect(world.violations.isEmpty, "seed \(seed)")
        }
    }
}

import Contract
import FleetWorld
import JSON
import Sharing
import System
import Testing

/// A gateway that was cut off returns with requests and readings, and the gateways that carried on may be gone.
@Suite struct ReturningGatewayTests {
    private static let request = FleetRequest(device: "lock", remaining: 60_000, content: .null)

    /// Returns a fleet in which `cellar` decides, and `attic` owns the devices; `barn` runs too if `hasBarn` is true.
    private static func pair(_ needs: [String: ConnectionNeed], hasBarn: Bool = false) -> SmallFleet {
        let fleet = SmallFleet(devices: needs)
        for gateway in ["attic", "barn", "cellar"] {
            fleet.levels[gateway] = needs.mapValues { _ in gateway == "attic" ? -60 : -80 }
        }
        fleet.start("cellar")
        fleet.run(.seconds(8))
        fleet.start("attic")
        if hasBarn { fleet.start("barn") }
        fleet.run(.seconds(40))
        #expect(fleet.deciders == ["cellar"])
        for device in needs.keys { #expect(fleet.actors(device) == ["attic"]) }
        return fleet
    }

    private static func disconnect(_ gateways: Set<String>, _ fleet: SmallFleet) {
        for gateway in gateways.sorted() { fleet.send(.disconnected, to: gateway) }
        fleet.cut.formUnion(gateways)
    }

    private static func connect(_ gateways: Set<String>, _ fleet: SmallFleet) {
        fleet.cut.subtract(gateways)
        for gateway in gateways.sorted() { fleet.send(.connected(connection: 2), to: gateway) }
    }

    private static func ask(_ gateways: [String], _ fleet: SmallFleet) {
        for gateway in gateways { fleet.send(.request("9f3c", request), to: gateway) }
    }

    /// Lets `cellar` be cut off while `attic` executes a request that both have received.
    private static func executeUnnoticed(_ fleet: SmallFleet) {
        disconnect(["cellar"], fleet)
        ask(["attic", "cellar"], fleet)
        fleet.run(.seconds(8))
        #expect(fleet.executions == ["attic"])
        fleet.send(.executed("9f3c"), to: "attic")
        fleet.run(.seconds(2))
        fleet.clearLog()
    }

    @Test func `a gateway that returns and decides executes no request that the failed one may have executed`() {
        let fleet = Self.pair(["lock": .never])
        Self.executeUnnoticed(fleet)
        fleet.kill("attic")
        Self.connect(["cellar"], fleet)
        fleet.run(.seconds(12))
        #expect(fleet.actors("lock") == ["cellar"])
        #expect(fleet.executions.isEmpty && fleet.interruptions == ["cellar"])
    }

    @Test func `a decider that has restarted orders no request of a returning gateway that it may have executed`() {
        let fleet = Self.pair(["lock": .never])
        Self.executeUnnoticed(fleet)
        fleet.kill("attic")
        fleet.start("attic'", name: "attic")
        fleet.run(.seconds(12))
        #expect(fleet.deciders == ["attic'"])
        Self.connect(["cellar"], fleet)
        fleet.run(.seconds(3))
        #expect(fleet.executions.isEmpty && fleet.interruptions.count == 1)
    }

    @Test func `a request whose claim no decision has announced is not executed after a return`() {
        let fleet = Self.pair(["lock": .never])
        // The report of the owner arrives at no gateway.
        fleet.isLost = { if case .report(let report, "attic") = $0 { !report.begun.isEmpty } else { false } }
        Self.ask(["attic", "cellar"], fleet)
        Self.disconnect(["attic"], fleet)
        fleet.isLost = { _ in false }
        fleet.run(.seconds(8))
        #expect(fleet.executions == ["cellar"])
        fleet.send(.executed("9f3c"), to: "cellar")
        fleet.kill("cellar")
        fleet.clearLog()
        Self.connect(["attic"], fleet)
        fleet.run(.seconds(12))
        #expect(fleet.executions.isEmpty && fleet.interruptions == ["attic"])
    }

    @Test func `requests are executed after an outage of the broker if all gateways return`() {
        let fleet = Self.pair(["lock": .sometimes])
        Self.ask(["attic", "cellar"], fleet)
        fleet.run(.seconds(1))
        Self.disconnect(["attic", "cellar"], fleet)
        fleet.run(.seconds(5))
        Self.connect(["attic", "cellar"], fleet)
        fleet.send(.linked(device: "lock", true), to: "attic")
        fleet.run(.seconds(3))
        #expect(fleet.executions == ["attic"] && fleet.interruptions.isEmpty)
    }

    @Test func `a gateway that has missed nothing knows the requests of a returning one`() {
        let fleet = Self.pair(["lock": .sometimes])
        fleet.start("barn")
        fleet.run(.seconds(3))
        Self.ask(["attic", "barn", "cellar"], fleet)
        fleet.run(.seconds(1))
        Self.disconnect(["attic"], fleet)
        fleet.run(.seconds(2))
        // The decider is gone; its successor was not cut off.
        fleet.kill("cellar")
        Self.connect(["attic"], fleet)
        fleet.send(.linked(device: "lock", true), to: "attic")
        fleet.run(.seconds(8))
        #expect(fleet.executions == ["attic"] && fleet.interruptions.isEmpty)
    }

    @Test func `a gateway that has missed a decision executes no request that the gone ones may have executed`() {
        let fleet = Self.pair(["lock": .never])
        fleet.start("barn")
        fleet.run(.seconds(3))
        // `barn` receives neither the decision that announces the request nor the reports.
        fleet.cut = ["barn"]
        Self.ask(["attic", "barn", "cellar"], fleet)
        fleet.run(.milliseconds(100))
        #expect(fleet.executions == ["attic"])
        fleet.cut = []
        // The decider fails after its next decision, which shows the gap.
        let count = fleet.decisions.count
        while fleet.decisions.count == count { fleet.run(.milliseconds(1)) }
        for gateway in ["attic", "cellar"] { fleet.kill(gateway) }
        fleet.clearLog()
        fleet.run(.seconds(12))
        #expect(fleet.actors("lock") == ["barn"])
        #expect(fleet.executions.isEmpty && fleet.interruptions == ["barn"])
    }

    // MARK: The next decider

    @Test func `a decider that returns within 1 s of its will goes on, and no other gateway begins`() {
        let fleet = Self.pair(["lock": .never])
        Self.disconnect(["cellar"], fleet)
        fleet.send(.will(gateway: "cellar", start: "start of cellar", connection: 1), to: "attic")
        fleet.run(.milliseconds(300))
        Self.connect(["cellar"], fleet)
        fleet.run(.seconds(4))
        #expect(fleet.deciders == ["cellar"])
        #expect(!fleet.decisions.contains { $0.key.gateway == "attic" })
    }

    @Test func `a report that arrives after its gateway is no longer read still reports answers`() throws {
        let fleet = Self.pair(["lock": .sometimes])
        for gateway in ["barn", "door"] { fleet.start(gateway) }
        fleet.run(.seconds(5))
        // The next gateways to decide read the reports; `door` does not.
        fleet.send(.request("9f3c", Self.request), to: "door")
        var report = FleetReport(start: "start of attic", number: 1000, connection: 1, followed: fleet["door"].followed)
        report.done = ["9f3c"]
        fleet.send(.report(report, gateway: "attic"), to: "door")
        fleet.run(.seconds(4))
        #expect(!fleet.reports.contains { $0.gateway == "door" && $0.report.pending["9f3c"] != nil })
    }

    @Test func `a new decider is the process of its name, although it receives another one first`() {
        let fleet = SmallFleet(devices: ["lock": .never])
        for (rank, gateway) in ["cellar", "barn", "door", "attic"].enumerated() {
            fleet.start(gateway, rank: rank)
            fleet.run(.seconds(8))
        }
        for gateway in ["barn", "cellar", "door"] { fleet.kill(gateway) }
        for number in 0..<1000 {
            let report = FleetReport(start: "another start", number: number, connection: 1)
            fleet.send(.report(report, gateway: "attic"), to: "attic")
            fleet.run(.milliseconds(10))
        }
        #expect(fleet.deciders == ["attic"])
        #expect(fleet.actors("lock") == ["attic"])
    }

    @Test func `a new decider waits for the process that has the name of a failed one`() throws {
        let fleet = SmallFleet(devices: ["ruuvi": .never])
        fleet.levels = ["attic": ["ruuvi": -60], "cellar": ["ruuvi": -80]]
        for gateway in ["attic", "cellar"] { fleet.start(gateway) }
        fleet.run(.seconds(20))
        let stamp = try #require(fleet["attic"].stamp(of: "ruuvi"))
        Self.disconnect(["attic"], fleet)
        fleet.run(.seconds(10))
        #expect(fleet.actors("ruuvi") == ["cellar"])
        let (arrival, memory) = (fleet.now, fleet["cellar"].memory)
        fleet.kill("cellar")
        // The former decider begins 1.25 s after its return.
        Self.connect(["attic"], fleet)
        fleet.run(.milliseconds(500))
        fleet.start("cellar'", name: "cellar", memory: memory)
        while !fleet["attic"].isInTouch(at: fleet.now) { fleet.run(.milliseconds(10)) }
        #expect(fleet.deciders == ["attic"])
        // `cellar` has published the readings of that time.
        #expect(fleet["attic"].admission(ofHeld: "ruuvi", stamp, arrival: arrival, at: fleet.now) == .drop)
    }

    @Test func `a new decider asks again if a gateway fails that should have reported`() throws {
        let fleet = Self.pair(["ruuvi": .never])
        fleet.levels["barn"] = ["ruuvi": -70]
        for gateway in ["barn", "door"] { fleet.start(gateway) }
        fleet.run(.seconds(10))
        let stamp = try #require(fleet["attic"].stamp(of: "ruuvi"))
        // `attic` owns the device until it is cut off, then `barn`, as `cellar` and `door` know.
        Self.disconnect(["attic"], fleet)
        fleet.run(.seconds(15))
        #expect(fleet.actors("ruuvi") == ["barn"])
        let arrival = fleet.now
        Self.connect(["attic"], fleet)
        fleet.isLost = { if case .decision(let decision) = $0 { !decision.owners.isEmpty } else { false } }
        fleet.run(.milliseconds(50))
        fleet.kill("cellar")
        fleet.isLost = { if case .report(let report, "barn") = $0 { report.whole != nil } else { false } }
        while !fleet.deciders.contains("attic") { fleet.run(.milliseconds(1)) }
        fleet.kill("barn")
        while !fleet["attic"].isInTouch(at: fleet.now) { fleet.run(.milliseconds(10)) }
        #expect(fleet["attic"].admission(ofHeld: "ruuvi", stamp, arrival: arrival, at: fleet.now) == .drop)
    }

    @Test func `a gateway whose name is taken reports the stamps of the devices that it loses`() throws {
        let fleet = Self.pair(["ruuvi": .never])
        let stamp = try #require(fleet["attic"].stamp(of: "ruuvi"))
        var decision = FleetDecision(key: FleetKey(epoch: 50, rank: 100, gateway: "barn", start: "b"), number: 0)
        decision.acknowledgements["attic"] = .init(start: "another start", number: 7, whole: nil)
        fleet.send(.decision(decision), to: "attic")
        fleet.run(.seconds(3))
        let whole = try #require(fleet.reports.last { $0.gateway == "attic" && $0.report.whole != nil }?.report.whole)
        #expect(whole.owned.isEmpty && whole.remembered == ["ruuvi": stamp])
    }

    @Test func `a gateway that returns learns the assignments that it has missed`() throws {
        let fleet = Self.pair(["ruuvi": .never], hasBarn: true)
        let stamp = try #require(fleet["attic"].stamp(of: "ruuvi"))
        Self.disconnect(["attic", "barn"], fleet)
        fleet.run(.seconds(10))
        #expect(fleet.actors("ruuvi") == ["cellar"])
        let arrival = fleet.now
        Self.connect(["barn"], fleet)
        fleet.run(.seconds(3))
        fleet.kill("cellar")
        fleet.run(.seconds(12))
        #expect(fleet.actors("ruuvi") == ["barn"])
        Self.connect(["attic"], fleet)
        fleet.run(.seconds(3))
        let admission = fleet["attic"].admission(ofHeld: "ruuvi", stamp, arrival: arrival, at: fleet.now)
        #expect(admission == .drop)
    }
}

extension SmallFleet {
    /// The gateways that have executed requests.
    fileprivate var executions: [String] {
        log.filter { if case .execute = $0.action { true } else { false } }.map(\.gateway)
    }

    /// The gateways that have answered requests as interrupted.
    fileprivate var interruptions: [String] {
        log.filter { if case .respond(_, .interrupted) = $0.action { true } else { false } }.map(\.gateway)
    }
}

import Contract
import FleetWorld
import Sharing
import System
import Testing

/// Rule 7: readings that a gateway keeps in doubt, and that it publishes if no other gateway has published them.
@Suite struct KeptReadingTests {
    /// Returns a fleet in which `cellar` decides, and `attic` owns the device.
    private static func fleet(cellarReceives: Bool) -> SmallFleet {
        let fleet = SmallFleet(devices: ["ruuvi": .never])
        fleet.levels["cellar"] = cellarReceives ? ["ruuvi": -80] : [:]
        fleet.levels["attic"] = ["ruuvi": -60]
        fleet.start("cellar")
        fleet.run(.seconds(8))
        fleet.start("attic")
        fleet.run(.seconds(70))
        #expect(fleet.deciders == ["cellar"])
        #expect(fleet.actors("ruuvi") == ["attic"])
        return fleet
    }

    /// Lets the owner be away for a time, and returns when it went away, and the stamp of the device.
    private static func cut(
        _ fleet: SmallFleet, seconds: Int = 30
    ) throws -> (began: Instant, stamp: FleetStamp) {
        let stamp = try #require(fleet["attic"].stamp(of: "ruuvi"))
        let began = fleet.now
        fleet.cut = ["attic"]
        fleet.run(.seconds(seconds))
        #expect(fleet.actors("ruuvi") == ["cellar"])
        fleet.cut = []
        fleet.run(.seconds(2))
        return (began, stamp)
    }

    private static func admission(
        _ fleet: SmallFleet, _ stamp: FleetStamp, _ arrival: Instant, at gateway: String = "attic"
    ) -> Admission {
        fleet[gateway].admission(ofHeld: "ruuvi", stamp, arrival: arrival, at: fleet.now)
    }

    @Test func `readings from before the time of the next owner are published, and later ones are dropped`() throws {
        let fleet = Self.fleet(cellarReceives: true)
        let (began, stamp) = try Self.cut(fleet, seconds: 10)
        #expect(Self.admission(fleet, stamp, began + .seconds(1)) == .publish)
        #expect(Self.admission(fleet, stamp, began + .seconds(4)) == .drop)
        #expect(Self.admission(fleet, stamp, began + .seconds(9)) == .drop)
    }

    @Test func `readings are published if the next owner does not receive the device`() throws {
        let fleet = Self.fleet(cellarReceives: false)
        let (began, stamp) = try Self.cut(fleet)
        #expect(Self.admission(fleet, stamp, began + .seconds(6)) == .publish)
        #expect(Self.admission(fleet, stamp, began + .seconds(20)) == .publish)
        // The decider does not know what the owner has received in the last 8 s.
        #expect(Self.admission(fleet, stamp, began + .seconds(29)) == .drop)
        // The answer remains when the device has come back.
        fleet.run(.seconds(70))
        #expect(fleet.actors("ruuvi") == ["attic"])
        #expect(Self.admission(fleet, stamp, began + .seconds(20)) == .publish)
        #expect(Self.admission(fleet, stamp, began + .seconds(29)) == .drop)
    }

    @Test func `a process that has ended gets the answer for what it has kept on its disk`() throws {
        let fleet = Self.fleet(cellarReceives: true)
        let stamp = try #require(fleet["attic"].stamp(of: "ruuvi"))
        let began = fleet.now
        fleet.kill("attic")
        fleet.run(.seconds(30))
        fleet.start("attic'", name: "attic")
        fleet.run(.seconds(1))
        #expect(fleet["attic'"].isInTouch(at: fleet.now))
        #expect(Self.admission(fleet, stamp, began, at: "attic'") == .hold(stamp))
        fleet.send(.ownerWanted(device: "ruuvi"), to: "attic'")
        fleet.run(.milliseconds(100))
        #expect(fleet.log.contains { $0.gateway == "attic'" && $0.action == .ownerFound(device: "ruuvi") })
        #expect(Self.admission(fleet, stamp, began, at: "attic'") == .publish)
        #expect(Self.admission(fleet, stamp, began + .seconds(20), at: "attic'") == .drop)
    }

    @Test func `the question for an owner is asked again until the decider knows it`() throws {
        let fleet = Self.fleet(cellarReceives: true)
        fleet.isLost = { if case .report(let report, _) = $0 { !report.wanted.isEmpty } else { false } }
        fleet.send(.ownerWanted(device: "ruuvi"), to: "attic")
        fleet.run(.seconds(4))
        #expect(!fleet.log.contains { $0.action == .ownerFound(device: "ruuvi") })
        fleet.isLost = { _ in false }
        fleet.run(.seconds(6))
        #expect(fleet.log.count { $0.action == .ownerFound(device: "ruuvi") } == 1)
    }

    @Test func `a gateway that gets its device back publishes what it has kept, because no other one had it`() throws {
        let fleet = SmallFleet(devices: ["ruuvi": .never])
        for gateway in ["attic", "attic'"] { fleet.levels[gateway] = ["ruuvi": -60] }
        fleet.start("attic")
        fleet.start("cellar")
        fleet.run(.seconds(20))
        let stamp = try #require(fleet["attic"].stamp(of: "ruuvi"))
        let arrival = fleet.now
        // The device has no owner until the next start: cellar does not get it before.
        fleet.cut = ["cellar"]
        fleet.kill("attic")
        fleet.run(.milliseconds(3300))
        fleet.cut = []
        fleet.start("attic'", name: "attic", rank: 1)
        fleet.run(.seconds(2))
        fleet.send(.ownerWanted(device: "ruuvi"), to: "attic'")
        fleet.run(.seconds(80))
        #expect(fleet.actors("ruuvi") == ["attic'"])
        #expect(fleet["attic'"].stamp(of: "ruuvi") != stamp)
        #expect(Self.admission(fleet, stamp, arrival, at: "attic'") == .publish)
        let older = FleetStamp(key: stamp.key, number: stamp.number - 1)
        #expect(Self.admission(fleet, older, arrival, at: "attic'") == .drop)
    }

    @Test func `the next decider knows since when a device has its owner`() throws {
        let fleet = Self.fleet(cellarReceives: true)
        fleet.levels["barn"] = ["ruuvi": -70]
        fleet.start("barn")
        fleet.run(.seconds(10))
        let stamp = try #require(fleet["attic"].stamp(of: "ruuvi"))
        let began = fleet.now
        fleet.cut = ["attic"]
        fleet.run(.seconds(15))
        #expect(fleet.actors("ruuvi") == ["barn"])
        fleet.kill("cellar")
        fleet.run(.seconds(10))
        #expect(fleet.deciders == ["barn"])
        fleet.cut = []
        fleet.run(.seconds(5))
        #expect(Self.admission(fleet, stamp, began + .seconds(-3)) == .publish)
        #expect(Self.admission(fleet, stamp, began + .seconds(5)) == .drop)
    }

    @Test func `a gateway publishes no reading from a pause in which another one owned the device`() throws {
        let fleet = Self.fleet(cellarReceives: true)
        var decision = try #require(fleet.decisions.last)
        let key = decision.key
        decision.number += 1
        decision.owners["ruuvi"] = .init(gateway: "attic", stamp: FleetStamp(key: key, number: 1000))
        fleet.send(.devices([:], roster: "77b0"), to: "attic")
        fleet.run(.milliseconds(100))
        fleet.send(.devices(["ruuvi": .never], roster: "5ad1"), to: "attic")
        var gateway = fleet["attic"]
        #expect(!gateway.owns("ruuvi"))
        decision.acknowledgements = try #require(fleet.decisions.last).acknowledgements
        decision.number = try #require(fleet.decisions.last).number + 1
        let end = fleet.now + .milliseconds(1300)
        _ = gateway.handle(.decision(decision), at: end)
        #expect(gateway.owns("ruuvi"))
        #expect(gateway.admission(ofAdvertisement: "ruuvi", at: end + .milliseconds(100)) == .drop)
        _ = gateway.handle(.timer, at: end + .milliseconds(250))
        #expect(gateway.admission(ofAdvertisement: "ruuvi", at: end + .milliseconds(300)) != .drop)
    }

    @Test func `a device that is not shared any more has no other publisher`() throws {
        let fleet = Self.fleet(cellarReceives: true)
        let stamp = try #require(fleet["attic"].stamp(of: "ruuvi"))
        fleet.send(.devices([:], roster: "77b0"), to: "attic")
        fleet.run(.seconds(2))
        #expect(Self.admission(fleet, stamp, fleet.now) == .publish)
    }

    @Test func `the past of an assignment is the same in JSON`() throws {
        let key = FleetKey(epoch: 7, rank: 100, gateway: "attic", start: "51aa")
        let past = FleetDecision.Past(after: FleetStamp(key: key, number: 30), age: 4200, isUnheard: true)
        var decision = FleetDecision(key: key, number: 1)
        decision.owners["ruuvi"] = .init(gateway: "cellar", stamp: FleetStamp(key: key, number: 31), past: past)
        #expect(FleetDecision(decision.json) == decision)
        let text =
            #"["cellar",[7,100,"attic","51aa",31],{"after":[7,100,"attic","51aa",30],"age":4200,"unheard":true}]"#
        #expect("\(decision.json)".contains(text))
        var report = FleetReport(start: "51aa", number: 1, connection: 1)
        report.wanted = ["ruuvi"]
        #expect(FleetReport(report.json) == report)
    }

    // MARK: Worlds

    @Test(arguments: [1, 3, 5]) func `after an outage of the broker each reading of the outage is published once`(
        gateways: Int
    ) {
        for seed in 1...6 {
            let world = CalmWorld(seed: seed, gateways: gateways, devices: 20, onlyAdvertises: true, interval: 2)
            world.stopBroker(seconds: 60)
            #expect(world.heldPackets.all > 400)
            #expect(world.heldPackets.lost == 0, "seed \(seed)")
            #expect(world.repeatedReadings == 0, "seed \(seed)")
        }
    }

    /// The devices of gateways that connect late pass to others: their last readings before that are lost, up to 2 s and
    /// a thirtieth of the time since then.
    @Test func `gateways that connect long after an outage publish what they have kept before others had the devices`()
    {
        var (held, lost) = (0, 0)
        for seed in 1...10 {
            let world = CalmWorld(
                seed: seed, gateways: 5, devices: 20, onlyAdvertises: true, interval: 2, retry: 1...20)
            world.stopBroker(seconds: 60)
            held += world.heldPackets.all
            lost += world.heldPackets.lost
            #expect(world.repeatedReadings == 0, "seed \(seed)")
        }
        #expect(held > 5000)
        #expect(lost * 100 < held)
    }
}

import FleetWorld
import Sharing
import Testing

/// How fast other gateways act after a failure, and how devices are distributed, in simulated worlds without other faults.
@Suite struct CalmWorldTests {
    /// The longest time in seconds until another gateway acts.
    private static func limit(_ failure: CalmWorld.Failure, isDecider: Bool) -> Double {
        switch failure {
        case .kill: isDecider ? 1.7 : 1.5
        case .power, .pause: 4.2
        case .terminate: 0.2
        }
    }

    @Test(arguments: CalmWorld.Failure.allCases)
    func `other gateways own the devices of a failed gateway in time`(failure: CalmWorld.Failure) {
        let world = CalmWorld(seed: 1, gateways: 8, devices: 100)
        #expect(world.ownedCount == 100)
        for round in 0..<4 {
            let member = world.fail(failure, gateway: 2 * round + 1)
            #expect(!member.delays.isEmpty)
            #expect(member.delays.last ?? 99 <= Self.limit(failure, isDecider: false))
            #expect(member.orphans == 0)
            let decider = world.fail(failure, gateway: nil)
            #expect(decider.delays.last ?? 0 <= Self.limit(failure, isDecider: true))
            #expect(decider.deciderDelay ?? 99 <= Self.limit(failure, isDecider: true))
            #expect(decider.orphans == 0)
            #expect(decider.needlessMoves <= 8)
        }
        #expect(world.doubleOwnership == 0)
        #expect(world.repeatedReadings == 0)
        #expect(world.disagreements == 0)
    }

    @Test func `stationary devices stay, and 95 % of them are within 6 dB of the best place after ten minutes`() {
        let world = CalmWorld(seed: 2, gateways: 12, devices: 500, onlyAdvertises: true, interval: 1000)
        world.run(seconds: 540)
        #expect(world.placementLoss(0.95) <= 6)
        world.run(seconds: 960)
        let before = world.handovers
        world.run(seconds: 3600)
        // 0.1 moves per hour and device.
        #expect(world.handovers - before <= 50)
    }

    @Test func `the devices of a gateway with a deaf radio move`() {
        let world = CalmWorld(seed: 1, gateways: 8, devices: 100)
        #expect(world.deafen(gateway: 2) == 0)
    }

    @Test func `other gateways connect to the devices of a gateway without its broker`() {
        let world = CalmWorld(seed: 1, gateways: 8, devices: 100)
        let devices = world.isolate(gateway: 2)
        // Other gateways receive some of the devices.
        #expect(devices.takenOver > 0)
        #expect(world.doubleOwnership == 0)
        #expect(world.disagreements == 0)
    }

    @Test func `20 gateways with 2,000 devices publish at most 25 messages per second`() {
        let world = CalmWorld(seed: 3, gateways: 20, devices: 2000, onlyAdvertises: true, interval: 1000)
        world.run(seconds: 600)
        let before = world.messages
        world.run(seconds: 60)
        let after = world.messages
        // One reading for each device in 1,000 s.
        #expect(Double(after.received - before.received) / 60 <= 25 + 2)
        #expect(Double(after.delivered - before.delivered) / 60 <= 150)
    }

    // MARK: Rules

    @Test func `without rule 8, a gateway without its broker keeps its connections`() {
        let world = CalmWorld(seed: 1, gateways: 8, devices: 100, rules: .all.subtracting(.links))
        let devices = world.isolate(gateway: 2)
        #expect(devices.linked > 0)
        #expect(devices.takenOver == 0)
    }

    @Test func `without rule 11, devices of other gateways move when the decider fails`() {
        let world = CalmWorld(seed: 1, gateways: 8, devices: 100, rules: .all.subtracting(.adoption))
        #expect(world.fail(.kill, gateway: nil).needlessMoves > 15)
    }

    @Test func `without rule 14, devices belong to gateways that receive them badly`() {
        #expect(CalmWorld(seed: 1, gateways: 8, devices: 100).placementLoss(0.95) < 12)
        let world = CalmWorld(seed: 1, gateways: 8, devices: 100, rules: .all.subtracting(.best))
        #expect(world.placementLoss(0.95) > 20)
    }

    @Test func `without rule 15, devices stay at a bad place`() {
        let world = CalmWorld(seed: 1, gateways: 8, devices: 100, rules: .all.subtracting(.moves))
        world.run(seconds: 600)
        #expect(world.placementLoss(0.95) > 6)
    }

    @Test func `without rule 19, other gateways wait for the will of a gateway that stops`() {
        let world = CalmWorld(seed: 1, gateways: 8, devices: 100, rules: .all.subtracting(.resignation))
        #expect(world.fail(.terminate, gateway: 1).delays.last ?? 0 > 1)
    }
}

package import Sharing

/// A small world with many faults, and the violations of the invariants in it.
package struct FaultyWorld {
    /// The kinds of worlds, which promise different things.
    package enum Kind: String, CaseIterable, Sendable {
        /// One broker, or a whole cluster.
        case plain
        /// A cluster that loses 1 % of the messages between its nodes.
        case lossy
        /// A cluster that splits.
        case split
    }

    package let seed: Int
    package let kind: Kind
    /// The faults with their times in seconds, for a message.
    package let faults: [String]
    /// Invariant 1: for how long two gateways acted for a device, in seconds.
    package let doubleOwnership: Double
    /// Invariant 2: the readings of one packet that two gateways have published.
    package let repeatedReadings: Int
    /// Invariant 3: the requests with two responses.
    package let doubleResponses: Int
    /// Invariant 3: the requests without a response, which a gateway received that lives on.
    package let missingResponses: Int
    /// Invariant 4: the requests that were written to a device twice.
    package let doubleWrites: Int
    /// Invariant 5: the assignments with a smaller stamp than the one before.
    package let fallenStamps: Int
    /// Repeated readings and responses, and fallen stamps, that violate no invariant: all gateways that remembered had failed,
    /// or were cut off.
    package let forgotten: Int
    /// Invariant 6: the devices without exactly one owner that the one decider knows, a minute after the last fault.
    package let disagreements: Int
    package let packets: Int
    /// The packets that an owner in doubt has received.
    package let heldPackets: Int
    /// The held packets that no gateway has published.
    package let lostPackets: Int
    package let requests: Int
    /// A number that depends on every change of an owner and its time.
    package let digest: UInt64

    /// Whether any invariant is violated.
    package var isViolated: Bool {
        doubleOwnership > 0 || repeatedReadings > 0 || doubleResponses > 0 || missingResponses > 0 || doubleWrites > 0
            || fallenStamps > 0 || disagreements > 0
    }

    /// Runs a world for 150 simulated seconds.
    package init(seed: Int, rules: FleetRules = .all, hasSeat: Bool = false, usesJSON: Bool = false) {
        let chance = Chance(seed: seed &* 7919 &+ 1)
        var options = WorldOptions()
        options.rules = rules
        options.hasSeat = hasSeat
        options.usesJSON = usesJSON
        options.nodes = chance.pick([1, 1, 3])
        let isLossy = options.nodes == 3 && chance.happens(0.4)
        options.loss = isLossy ? 0.01 : 0
        options.gateways = chance.integer(3...7)
        options.twins = chance.happens(0.3) ? [chance.integer(0...options.gateways - 1)] : []
        options.devices = chance.integer(12...30)
        options.slow = chance.pick([0, 0, 0.02])
        options.keepAliveScan = chance.pick([0.5, 6])
        options.slots = chance.pick([2, 4, 8])
        let world = World(seed: seed, options)
        world.boot()
        let plan = FaultPlan(world, chance)
        world.schedule.run(until: FaultPlan.end + 60)

        let record = world.record
        self.seed = seed
        kind = plan.isSplit ? .split : isLossy ? .lossy : .plain
        faults = plan.texts
        doubleOwnership = record.doubleOwnership
        repeatedReadings = record.repeatedReadings
        doubleResponses = record.doubleResponses.count
        forgotten = record.forgotten
        missingResponses = record.asked.keys.count {
            world.hasSurvivingReceiver($0) && !record.isAnswered($0, nodes: options.nodes)
        }
        doubleWrites = record.doubleWrites
        fallenStamps = record.fallenStamps
        // A device that moves has no owner for some milliseconds.
        let moving = world.disagreements()
        if moving > 0 { world.schedule.run(until: FaultPlan.end + 62) }
        disagreements = min(moving, world.disagreements())
        packets = record.packets
        heldPackets = record.heldPackets.count
        lostPackets = world.lostPackets.count
        requests = record.receivers.count
        digest = record.digest
        world.end()
    }
}

extension FaultyWorld: CustomStringConvertible {
    package var description: String {
        """
        seed \(seed) (\(kind.rawValue)): two owners \((doubleOwnership * 10).rounded() / 10) s, \
        readings twice \(repeatedReadings), responses twice \(doubleResponses), none \(missingResponses), \
        writes twice \(doubleWrites), stamps fallen \(fallenStamps), disagreements \(disagreements), \
        forgotten \(forgotten); \
        faults: \(faults.joined(separator: ", "))
        """
    }
}

extension FaultyWorld {
    /// Returns the sums of worlds for a message.
    package static func summary(_ worlds: [FaultyWorld]) -> String {
        func sum(_ value: KeyPath<FaultyWorld, Int>) -> Int { worlds.reduce(0) { $0 + $1[keyPath: value] } }
        let owners = worlds.reduce(0) { $0 + $1.doubleOwnership }
        return """
            \(worlds.count) worlds, \(sum(\.packets)) packets, \(sum(\.requests)) requests: \
            two owners \(owners.rounded()) s in \(worlds.count { $0.doubleOwnership > 0 }) worlds, \
            readings twice \(sum(\.repeatedReadings)) in \(worlds.count { $0.repeatedReadings > 0 }) worlds, \
            responses twice \(sum(\.doubleResponses)) in \(worlds.count { $0.doubleResponses > 0 }) worlds, \
            none \(sum(\.missingResponses)), writes twice \(sum(\.doubleWrites)), stamps fallen \(sum(\.fallenStamps)), \
            disagreements \(sum(\.disagreements)), held \(sum(\.heldPackets)), lost of these \(sum(\.lostPackets)), \
            forgotten in \(worlds.count { $0.forgotten > 0 }) worlds
            """
    }
}

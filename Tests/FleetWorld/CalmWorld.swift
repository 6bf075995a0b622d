package import Sharing

/// A world without faults, except those that a test causes.
package final class CalmWorld {
    /// How a gateway fails.
    package enum Failure: String, CaseIterable, Sendable {
        /// SIGKILL.
        case kill
        /// The power or the cable of the network.
        case power
        /// SIGTERM.
        case terminate
        /// SIGSTOP for 20 s.
        case pause
    }

    /// The effects of a failure.
    package struct Failover {
        /// The seconds until another gateway acted for a device of the failed one, in ascending order.
        package let delays: [Double]
        /// The number of its devices for which no gateway acted after 25 s.
        package let orphans: Int
        /// The seconds until another gateway decided; nil: the decider has not failed.
        package let deciderDelay: Double?
        /// The number of devices of other gateways that have got another owner.
        package let needlessMoves: Int
    }

    private let world: World

    /// Starts a world and lets it run for 60 simulated seconds.
    package init(
        seed: Int, gateways: Int, devices: Int, rules: FleetRules = .all, hasSeat: Bool = false,
        onlyAdvertises: Bool = false, interval: Double = 10, retry: ClosedRange<Double> = 0.5...1.5
    ) {
        var options = WorldOptions()
        options.gateways = gateways
        options.devices = devices
        options.rules = rules
        options.hasSeat = hasSeat
        options.onlyAdvertises = onlyAdvertises
        options.slots = 16
        options.advertisementInterval = interval
        options.retry = retry
        world = World(seed: seed, options)
        world.boot()
        run(seconds: 60)
    }

    deinit {
        world.end()
    }

    package func run(seconds: Double) {
        world.schedule.run(until: world.schedule.now + seconds)
    }

    /// Stops the broker for a time, and lets the world run until all gateways have connected again.
    package func stopBroker(seconds: Double) {
        world.broker.restart(seconds)
        run(seconds: seconds + 60)
    }

    /// The number of packets that arrived at an owner in doubt, and of those that no gateway has published.
    package var heldPackets: (all: Int, lost: Int) { (world.record.heldPackets.count, world.lostPackets.count) }
    /// The number of devices with exactly one owner.
    package var ownedCount: Int { world.ownedCount }
    /// How often a device has got another owner.
    package var handovers: Int { world.record.handovers }
    /// For how long two gateways acted for a device, in seconds.
    package var doubleOwnership: Double { world.record.doubleOwnership }
    package var repeatedReadings: Int { world.record.repeatedReadings }
    /// The number of devices without exactly one owner that the one decider knows.
    package var disagreements: Int { world.disagreements() }
    /// The number of messages that the broker has received, and of those that it has delivered.
    package var messages: (received: Int, delivered: Int) { (world.broker.published, world.broker.delivered) }

    /// Returns how much weaker the owner of a device receives it than the best gateway, in dB, for a share of all devices.
    package func placementLoss(_ share: Double) -> Double {
        let losses = world.placementLosses()
        guard !losses.isEmpty else { return .infinity }
        return losses[min(losses.count - 1, Int(share * Double(losses.count)))]
    }

    /// Lets a gateway fail, runs the world for 60 simulated seconds, and starts the gateway again.
    ///
    /// Without the number of a gateway, the decider fails.
    package func fail(_ failure: Failure, gateway number: Int?) -> Failover {
        let began = world.schedule.now
        let decider = world.gateways.first { $0.isRunning && $0.isDeciding }?.index ?? 0
        let failed =
            number.map { $0 % world.gateways.count == decider ? ($0 + 1) % world.gateways.count : $0 } ?? decider
        let devices = Set(world.devices(of: failed))
        let owners = world.owners
        world.clearGaps()
        switch failure {
        case .kill: world.kill(failed)
        case .power: world.cutPower(failed)
        case .terminate: world.stop(failed)
        case .pause:
            world.pause(failed, 20)
            for device in devices { world.setActing(failed, device, false) }
        }
        var deciderDelay: Double?
        while world.schedule.now < began + 25 {
            run(seconds: 0.01)
            let hasDecider = world.gateways.contains { $0.index != failed && $0.isRunning && $0.hasCollected }
            if deciderDelay == nil, hasDecider { deciderDelay = world.schedule.now - began }
        }
        var delays: [Int: Double] = [:]
        for gap in world.record.gaps where gap.ended > began && devices.contains(gap.device) {
            delays[gap.device] = min(delays[gap.device] ?? .infinity, gap.ended - began)
        }
        let after = world.owners
        let failover = Failover(
            delays: delays.values.sorted(),
            orphans: devices.count { delays[$0] == nil && after[$0].isEmpty },
            deciderDelay: number == nil ? deciderDelay : nil,
            needlessMoves: owners.indices.count { !devices.contains($0) && owners[$0] != after[$0] })
        if !world.gateways[failed].isRunning { world.gateways[failed].boot() }
        run(seconds: 35)
        return failover
    }

    /// Cuts a gateway off from its broker for 60 s.
    ///
    /// - Returns: The number of its devices with a connection, and how many of them had a connection to another gateway after
    ///   45 s.
    package func isolate(gateway: Int) -> (linked: Int, takenOver: Int) {
        let devices = Set(world.links(of: gateway))
        world.cutNetwork(gateway, 60)
        run(seconds: 45)
        let others = world.gateways.indices.filter { $0 != gateway }.flatMap { world.links(of: $0) }
        let takenOver = devices.intersection(others).count
        run(seconds: 35)
        return (devices.count, takenOver)
    }

    /// Makes the radio of a gateway deaf for 90 s.
    ///
    /// - Returns: The number of its devices that it still owns after that.
    package func deafen(gateway: Int) -> Int {
        let devices = Set(world.devices(of: gateway))
        world.deafen(gateway, 90)
        run(seconds: 90)
        return devices.intersection(world.devices(of: gateway)).count
    }
}

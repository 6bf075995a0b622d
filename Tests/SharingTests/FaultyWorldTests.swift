import FleetWorld
import Foundation
import Sharing
import Testing

/// The invariants in simulated worlds with faults.
///
/// `BLUEFLEET_FLEET_WORLDS=10000` runs more worlds, from the seed `BLUEFLEET_SEED` on.
@Suite struct FaultyWorldTests {
    private static func number(_ name: String, default value: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? value
    }

    private static let seeds = {
        let first = number("BLUEFLEET_SEED", default: 1000)
        return first..<first + number("BLUEFLEET_FLEET_WORLDS", default: 150)
    }()

    /// Runs worlds on all processors.
    private static func run(
        _ seeds: some Sequence<Int>, rules: FleetRules = .all, hasSeat: Bool = false
    ) async -> [FaultyWorld] {
        await withTaskGroup { group in
            for seed in seeds { group.addTask { FaultyWorld(seed: seed, rules: rules, hasSeat: hasSeat) } }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.seed < $1.seed }
        }
    }

    /// Prints the sums of many worlds, which `BLUEFLEET_FLEET_WORLDS` demands.
    private static func report(_ worlds: [FaultyWorld], _ title: String) {
        guard seeds.count > 1000 else { return }
        for kind in FaultyWorld.Kind.allCases {
            let some = worlds.filter { $0.kind == kind }
            print(title, kind.rawValue, FaultyWorld.summary(some))
        }
        for world in worlds where world.isViolated { print(world) }
    }

    /// The number of worlds that may repeat readings or responses, because all gateways that remembered have failed.
    private static func allowance(_ count: Int) -> Int { 2 + count * 3 / 1000 }

    @Test func `without a split, one gateway owns each device, and each request has one response`() async {
        let worlds = await Self.run(Self.seeds)
        Self.report(worlds, "without a seat:")
        for world in worlds {
            #expect(world.disagreements == 0 && world.missingResponses == 0, "\(world)")
        }
        let whole = worlds.filter { $0.kind != .split }
        for world in whole { #expect(!world.isViolated, "\(world)") }
        #expect(whole.count { $0.forgotten > 0 } <= Self.allowance(whole.count))
    }

    @Test func `with a seat, one gateway owns each device although the cluster splits`() async {
        let worlds = await Self.run(Self.seeds, hasSeat: true)
        Self.report(worlds, "with a seat:")
        for world in worlds { #expect(!world.isViolated, "\(world)") }
        #expect(worlds.count { $0.forgotten > 0 } <= Self.allowance(worlds.count))
    }

    /// Seeds of rare worlds: stalls, lost messages, and gateways that return while the one that carried on fails.
    @Test func `worlds that have violated an invariant before keep all of them`() async {
        let worlds = await Self.run([
            20286, 22926, 23485, 28150, 28534, 29026, 30787, 40953, 47850, 200662, 201612, 203989, 301407, 302828,
            501073, 503249, 603321, 705343, 707764,
            708907, 931002,
        ])
        let seated = await Self.run(
            [5351, 20292, 21116, 21582, 23377, 23890, 25035, 25644, 102769, 500257, 501756, 706791],
            hasSeat: true)
        for world in worlds + seated { #expect(!world.isViolated, "\(world)") }
    }

    @Test func `the same seed gives the same world`() async {
        let first = await Self.run(1000..<1006)
        let second = await Self.run(1000..<1006)
        #expect(first.map(\.digest) == second.map(\.digest))
    }

    @Test func `messages that are written and parsed as JSON give the same world`() {
        for seed in 1000..<1004 {
            let world = FaultyWorld(seed: seed, usesJSON: true)
            #expect(world.digest == FaultyWorld(seed: seed).digest, "\(world)")
        }
    }

    // MARK: Rules

    /// A rule that worlds need.
    struct BrokenRule: Sendable, CustomTestStringConvertible {
        let number: Int
        let rule: FleetRules
        var hasSeat = false

        var testDescription: String { "rule \(number)" }

        /// Whether a world violates an invariant that holds with all rules.
        func isBroken(_ world: FaultyWorld) -> Bool {
            // A split without a seat may violate other invariants while it lasts.
            world.kind == .split && !hasSeat ? world.disagreements > 0 : world.isViolated
        }
    }

    /// The other rules are in `CalmWorldTests` (8, 11, 14, 15, 19) and `FleetGatewayTests` (5, 10, 16, 17, 18).
    static let brokenRules = [
        BrokenRule(number: 1, rule: .report), BrokenRule(number: 2, rule: .follow),
        BrokenRule(number: 3, rule: .confirmation), BrokenRule(number: 4, rule: .lease),
        BrokenRule(number: 6, rule: .release), BrokenRule(number: 7, rule: .heldReadings),
        BrokenRule(number: 9, rule: .succession), BrokenRule(number: 12, rule: .burial),
        BrokenRule(number: 13, rule: .names), BrokenRule(number: 20, rule: .seat, hasSeat: true),
    ]

    @Test(arguments: brokenRules)
    func `worlds without a rule violate an invariant`(_ broken: BrokenRule) async {
        for first in stride(from: 1000, to: 1100, by: 10) {
            let seeds = first..<first + 10
            let worlds = await Self.run(seeds, rules: .all.subtracting(broken.rule), hasSeat: broken.hasSeat)
            guard let world = worlds.first(where: broken.isBroken) else { continue }
            let whole = FaultyWorld(seed: world.seed, hasSeat: broken.hasSeat)
            #expect(!broken.isBroken(whole), "\(whole)")
            return
        }
        Issue.record("100 worlds without rule \(broken.number) keep all invariants")
    }
}

import Contract
import JSON
import Sharing
import System
import TestSupport
import Testing

/// Messages that no gateway of a fleet would send never stop a gateway, and the memory for them is bounded.
@Suite struct HostileMessageTests {
    private static let count = 20_000

    /// Changes random parts of a JSON value.
    private static func mutate(_ json: JSON, _ random: inout SeededGenerator) -> JSON {
        if Int.random(in: 0..<12, using: &random) == 0 { return samples.randomElement(using: &random) ?? .null }
        switch json {
        case .array(let elements):
            var changed = elements.map { mutate($0, &random) }
            if Int.random(in: 0..<20, using: &random) == 0 { changed.shuffle(using: &random) }
            return .array(changed)
        case .object(let members):
            return .object(
                JSON.Object(distinct: members.map { .init(name: $0.name, value: mutate($0.value, &random)) }))
        case .number where Int.random(in: 0..<3, using: &random) == 0:
            return .number(Int.random(in: -2...FleetLimits.number, using: &random))
        default: return json
        }
    }

    private static let samples: [JSON] = [
        .null, true, false, 0, -1, 1, .number(FleetLimits.number), .number(Int.max), .number(verbatim: "1e308"), "",
        "attic",
        "ruuvi", [], [:], [[]], ["ruuvi": 1], ["ruuvi": nil], ["attic": ["start of attic", 1, 1]],
    ]

    @Test func `random changes of reports and decisions neither stop a gateway nor take a device away for long`() {
        var random = SeededGenerator(seed: SeededGenerator.fuzzSeed)
        let fleet = SmallFleet(devices: ["ruuvi": .never, "lock": .always])
        fleet.start("attic")
        fleet.start("cellar")
        fleet.run(.seconds(20))
        let reports = fleet.reports.map(\.report.json)
        let decisions = fleet.decisions.map(\.json)
        var accepted = 0
        for number in 0..<Self.count {
            let receiver = ["attic", "cellar"][number % 2]
            if Bool.random(using: &random), let report = reports.randomElement(using: &random) {
                guard let changed = FleetReport(Self.mutate(report, &random)) else { continue }
                let sender = ["attic", "cellar", "porch", "barn"].randomElement(using: &random) ?? ""
                fleet.send(.report(changed, gateway: sender), to: receiver)
            } else if let decision = decisions.randomElement(using: &random) {
                guard let changed = FleetDecision(Self.mutate(decision, &random)) else { continue }
                fleet.send(.decision(changed), to: receiver)
            }
            accepted += 1
            if number % 10 == 0 { fleet.run(.milliseconds(300)) }
        }
        #expect(accepted > Self.count / 10)
        // New processes are not misled by the numbers of the false reports.
        for gateway in ["attic", "cellar"] { fleet.kill(gateway) }
        fleet.run(.seconds(10))
        for gateway in ["garage", "garden"] { fleet.start(gateway) }
        fleet.run(.seconds(60))
        #expect(fleet.actors("ruuvi").count == 1)
    }

    @Test func `a gateway knows at most 500 others and 10,000 devices`() {
        let fleet = SmallFleet(devices: ["ruuvi": .never])
        fleet.start("attic")
        fleet.run(.seconds(15))
        let key = fleet.decisions.last?.key
        for number in 0..<600 {
            var report = FleetReport(start: "51aa", number: 1, connection: 1, followed: key)
            report.whole = FleetReport.Whole(rank: 100, roster: "5ad1", owned: [:])
            for device in 0..<1000 { report.signals["device\(number % 12 * 1000 + device)"] = .received(-90) }
            fleet.send(.report(report, gateway: "gateway\(number)"), to: "attic")
        }
        fleet.run(.seconds(1))
        #expect(fleet.decisions.last?.acknowledgements.count ?? 0 <= FleetLimits.gateways)
        #expect(fleet["attic"].owners.count <= FleetLimits.devices)
        #expect(fleet.actors("ruuvi") == ["attic"])
    }
}

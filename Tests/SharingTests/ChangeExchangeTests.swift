import Contract
import JSON
import Sharing
import System
import TestSupport
import Testing

/// Changes of devices at run time reach all gateways.
@Suite struct ChangeExchangeTests {
    private static let gateways = ["attic", "cellar", "porch", "barn"]

    private static func fleet(_ gateways: [String] = ["attic", "cellar"]) -> SmallFleet {
        let fleet = SmallFleet(devices: ["ruuvi": .never])
        for gateway in gateways { fleet.start(gateway) }
        fleet.run(.seconds(15))
        return fleet
    }

    @Test func `a change reaches all gateways at once, in one message`() {
        let fleet = Self.fleet(Self.gateways)
        fleet.change("window", at: "cellar")
        let revision = FleetRevision(number: 1, gateway: "cellar")
        for gateway in Self.gateways { #expect(fleet.revisions[gateway] == ["window": revision]) }
        fleet.run(.seconds(20))
        #expect(fleet.exchanged.count == 1)
        fleet.change("window", at: "attic")
        for gateway in Self.gateways { #expect(fleet.revisions[gateway]?["window"]?.number == 2) }
    }

    @Test func `a gateway that was away gets all changes, and gives its own`() {
        let fleet = Self.fleet(["attic"])
        for number in 0..<20 { fleet.change("device\(number)", at: "attic") }
        fleet.start("cellar")
        fleet.run(.seconds(40))
        #expect(fleet.revisions["cellar"]?.count == 20)
        #expect(fleet.revisions["cellar"] == fleet.revisions["attic"])
        let count = fleet.exchanged.count
        fleet.run(.seconds(120))
        #expect(fleet.exchanged.count == count)
        // The next number is greater than all others.
        fleet.kill("cellar")
        fleet.loseFolder(of: "cellar")
        fleet.start("cellar")
        fleet.run(.seconds(1))
        fleet.change("window", at: "cellar")
        #expect(fleet.revisions["attic"]?["window"] == FleetRevision(number: 21, gateway: "cellar"))
        fleet.run(.seconds(40))
        #expect(fleet.revisions["cellar"] == fleet.revisions["attic"])
    }

    @Test func `of two changes of a device at the same time, one counts for all`() {
        let fleet = Self.fleet()
        fleet.cut = ["cellar"]
        fleet.change("window", at: "cellar")
        fleet.change("window", at: "attic")
        fleet.cut = []
        fleet.run(.seconds(30))
        for gateway in ["attic", "cellar"] { #expect(fleet.revisions[gateway]?["window"]?.gateway == "cellar") }
    }

    @Test func `gateways that fail, lose messages and their state folders have the same changes in the end`() {
        for seed in 0..<20 {
            var random = SeededGenerator(seed: UInt64(seed))
            let fleet = Self.fleet(Self.gateways)
            var running = Set(Self.gateways)
            for _ in 0..<60 {
                let gateway = Self.gateways.randomElement(using: &random) ?? ""
                switch Int.random(in: 0..<8, using: &random) {
                case 0: fleet.cut.formSymmetricDifference([gateway])
                case 1 where running.contains(gateway) && running.count > 1:
                    fleet.kill(gateway)
                    running.remove(gateway)
                case 2 where !running.contains(gateway):
                    if Bool.random(using: &random) { fleet.loseFolder(of: gateway) }
                    fleet.start(gateway)
                    running.insert(gateway)
                case 3: fleet.run(.seconds(Int.random(in: 1..<20, using: &random)))
                default:
                    if running.contains(gateway) {
                        fleet.change("device\(Int.random(in: 0..<12, using: &random))", at: gateway)
                    }
                }
            }
            fleet.cut = []
            for gateway in Self.gateways where !running.contains(gateway) { fleet.start(gateway) }
            fleet.run(.seconds(300))
            for gateway in Self.gateways {
                #expect(fleet.revisions[gateway] == fleet.revisions["attic"], "seed \(seed)")
            }
        }
    }

    @Test func `a change that a gateway rejects is sent again, at most once a minute, and delays no other one`() {
        let fleet = Self.fleet()
        fleet.rejected = ["bad0", "bad1", "bad2", "bad3", "bad4", "bad5"]
        for device in fleet.rejected.sorted() { fleet.change(device, at: "attic") }
        fleet.cut = ["cellar"]
        for number in 0..<6 { fleet.change("good\(number)", at: "attic") }
        fleet.cut = []
        fleet.run(.seconds(240))
        #expect(fleet.revisions["cellar"]?.count == 6)
        let count = fleet.exchanged.count
        fleet.run(.seconds(600))
        #expect(fleet.exchanged.count - count <= 22)
        fleet.rejected = []
        fleet.run(.seconds(240))
        #expect(fleet.revisions["cellar"] == fleet.revisions["attic"])
    }

    @Test func `gateways with more revisions than one message has room for find each difference`() {
        let gateway = "attic" + String(repeating: "x", count: 100)
        let all = (0..<5000).map { ("device\($0)", FleetRevision(number: 1 + $0, gateway: gateway)) }
        let fleet = SmallFleet(devices: ["ruuvi": .never])
        let revisions = Dictionary(uniqueKeysWithValues: all)
        fleet.store(revisions.filter { !["device1", "device4998"].contains($0.key) }, at: "attic")
        fleet.store(revisions.filter { !["device0", "device2222", "device999"].contains($0.key) }, at: "cellar")
        for gateway in ["attic", "cellar"] { fleet.start(gateway) }
        fleet.run(.seconds(60))
        for gateway in ["attic", "cellar"] { #expect(fleet.revisions[gateway] == revisions) }
        let sizes = fleet.exchanged.map { $0.message.json.description.utf8.count }
        #expect(sizes.allSatisfy { $0 <= FleetLimits.portion + 1000 } && sizes.contains { $0 > 200_000 })
    }

    @Test func `a revision from the far future is ignored`() {
        let fleet = Self.fleet()
        fleet.change("window", at: "attic", number: 1_000_001)
        #expect(fleet.revisions["cellar"] == nil)
        fleet.change("door", at: "attic", number: 1_000_000)
        #expect(fleet.revisions["cellar"]?["door"]?.number == 1_000_000)
        #expect(fleet["cellar"].nextRevision == 1_000_001)
    }
}

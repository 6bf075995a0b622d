import Contract
import JSON
import Sharing
import System
import Testing

/// Single rules, with gateways on a broker without delays.
@Suite struct FleetGatewayTests {
    private static func fleet(_ devices: [String: ConnectionNeed] = ["ruuvi": .never]) -> SmallFleet {
        let fleet = SmallFleet(devices: devices)
        for device in devices.keys {
            fleet.levels["attic", default: [:]][device] = -60
            fleet.levels["cellar", default: [:]][device] = -80
        }
        return fleet
    }

    @Test func `a gateway alone decides 3.5 s after its start and then owns its devices`() {
        let fleet = Self.fleet()
        fleet.start("attic")
        fleet.run(.milliseconds(3400))
        #expect(fleet.deciders == [])
        fleet.run(.milliseconds(400))
        #expect(fleet.deciders == ["attic"])
        #expect(fleet.actors("ruuvi") == [])
        fleet.run(.seconds(7))
        #expect(fleet.actors("ruuvi") == ["attic"])
    }

    @Test func `a device belongs to the gateway that receives it best`() {
        let fleet = Self.fleet()
        fleet.start("cellar")
        fleet.start("attic")
        fleet.run(.seconds(15))
        #expect(fleet.deciders == ["attic"])
        #expect(fleet.actors("ruuvi") == ["attic"])
        #expect(fleet["attic"].owners == ["ruuvi": "attic"])
    }

    @Test func `the largest fleet gets its owners in decisions and reports that other gateways accept`() {
        let names = (0..<FleetLimits.devices).map { "house/floor \($0 % 7)/room with a long name \($0)" }
        let fleet = SmallFleet(devices: Dictionary(uniqueKeysWithValues: names.map { ($0, .never) }))
        fleet.levels["attic"] = Dictionary(uniqueKeysWithValues: names.map { ($0, -60) })
        for gateway in ["attic", "cellar"] { fleet.start(gateway) }
        fleet.run(.seconds(13))
        #expect(fleet["attic"].ownedDevices.count == FleetLimits.devices)
        #expect(fleet["attic"].isActing(for: names[0]) && fleet["attic"].isActing(for: names[9999]))
        let largest = fleet.decisions.map { $0.json.description.utf8.count }.max() ?? 0
        #expect(largest > FleetLimits.portion / 2 && largest <= FleetLimits.portion + 1000)
        #expect(fleet.decisions.count { $0.owners.count > 100 } > 2)
    }

    @Test func `a gateway that adopts devices one after the other seldom reports all of them`() {
        let devices = Dictionary(uniqueKeysWithValues: (0..<400).map { ("device\($0)", ConnectionNeed.never) })
        let fleet = SmallFleet(devices: devices)
        for gateway in ["attic", "cellar"] { fleet.start(gateway) }
        fleet.run(.seconds(15))
        var (longer, count) = (devices, fleet.reports.count)
        for number in 0..<20 {
            longer["adopted\(number)"] = .never
            fleet.send(.devices(longer, roster: "5ad1"), to: "cellar")
            fleet.run(.milliseconds(500))
        }
        fleet.run(.seconds(3))
        let whole = fleet.reports[count...].filter { $0.gateway == "cellar" && $0.report.whole != nil }
        // 5 ms for each device: one each 2 s.
        #expect(whole.count <= 7 && whole.last?.report.signals.count == 420)
        // A removed device is reported at once.
        count = fleet.reports.count
        longer["adopted3"] = nil
        fleet.send(.devices(longer, roster: "5ad1"), to: "cellar")
        fleet.run(.milliseconds(10))
        #expect(fleet.reports[count...].contains { $0.report.whole?.rank == 100 && $0.report.signals.count == 419 })
    }

    @Test func `a device that is added belongs to the best gateway, whichever reports it first`() {
        let fleet = Self.fleet(["ruuvi": .never, "door": .never])
        for gateway in ["attic", "cellar"] {
            fleet.start(gateway)
            fleet.send(.devices(["ruuvi": .never], roster: "1"), to: gateway)
        }
        fleet.run(.seconds(20))
        #expect(fleet["attic"].owners == ["ruuvi": "attic"])
        for gateway in ["cellar", "attic"] {
            fleet.send(.devices(["ruuvi": .never, "door": .never], roster: "2"), to: gateway)
            fleet.run(.seconds(1))
        }
        fleet.run(.seconds(15))
        #expect(fleet["attic"].owners["door"] == "attic")
        #expect(fleet.actors("door") == ["attic"])
    }

    @Test func `a new decider assigns the devices of the failed one at once, although nobody reports them`() {
        let fleet = Self.fleet()
        fleet.start("attic")
        fleet.start("cellar")
        fleet.run(.seconds(20))
        #expect(fleet.deciders == ["attic"])
        #expect(fleet.actors("ruuvi") == ["attic"])
        fleet.clearLog()
        fleet.kill("attic")
        fleet.run(.milliseconds(4500))
        #expect(fleet.actors("ruuvi") == ["cellar"])
        #expect(fleet.log.contains { $0.action == .notify(.memberLost("attic")) })
    }

    @Test func `the owner learns why it owns a device, and the former owner that another one does`() {
        let fleet = Self.pair()
        #expect(fleet["attic"].reason(of: "ruuvi") == "-60 here, -80 at cellar")
        #expect(fleet["cellar"].places(at: fleet.now)["ruuvi"]?.why == "-60 here, -80 at cellar")
        #expect(!fleet["attic"].isOwnedElsewhere("ruuvi"))
        #expect(fleet["cellar"].isOwnedElsewhere("ruuvi"))
        // The device is removed from the file of its owner.
        fleet.send(.devices([:], roster: "77b0"), to: "attic")
        fleet.run(.seconds(1))
        #expect(fleet["attic"].isOwnedElsewhere("ruuvi"))
        #expect(fleet.actors("ruuvi") == ["cellar"])
        fleet.send(.devices([:], roster: "77b0"), to: "cellar")
        fleet.run(.seconds(1))
        #expect(!fleet["cellar"].isOwnedElsewhere("ruuvi"))
    }

    @Test func `a fingerprint is the same for equal lists, and another one for other lists`() {
        let fingerprint = FleetGateway.fingerprint(of: ["ruuvi", "C0:00:00:00:00:01"])
        #expect(fingerprint == FleetGateway.fingerprint(of: ["ruuvi", "C0:00:00:00:00:01"]))
        #expect(fingerprint != FleetGateway.fingerprint(of: ["C0:00:00:00:00:01", "ruuvi"]))
        #expect(fingerprint != FleetGateway.fingerprint(of: ["ruuvi"]))
    }

    /// Returns a fleet in which `cellar` decides, and `attic` owns the devices.
    private static func pair(_ devices: [String: ConnectionNeed] = ["ruuvi": .never], rules: FleetRules = .all)
        -> SmallFleet
    {
        let fleet = fleet(devices)
        fleet.start("cellar", rules: rules)
        fleet.run(.seconds(8))
        fleet.start("attic", rules: rules)
        fleet.run(.seconds(40))
        #expect(fleet.deciders == ["cellar"])
        for device in devices.keys { #expect(fleet.actors(device) == ["attic"]) }
        return fleet
    }

    @Test func `the gateway with the smallest rank is the next decider`() {
        let fleet = Self.fleet()
        fleet.start("attic")
        fleet.run(.seconds(5))
        fleet.start("barn")
        fleet.start("cellar", rank: 0)
        fleet.run(.seconds(5))
        #expect(fleet.deciders == ["attic"])
        fleet.kill("attic")
        fleet.run(.seconds(5))
        #expect(fleet.deciders == ["cellar"])
    }

    @Test
    func `a gateway without acknowledgements stops after 2.5 s, before the decider assigns its devices to another`() {
        let fleet = Self.pair()
        fleet.cut = ["attic"]
        var silence = Duration.zero
        while fleet.actors("ruuvi") == ["attic"] {
            fleet.run(.milliseconds(10))
            silence += .milliseconds(10)
        }
        #expect(silence <= .milliseconds(2510))
        fleet.run(.seconds(1) - .milliseconds(500))
        #expect(fleet.actors("ruuvi") == [])
        fleet.run(.seconds(2))
        #expect(fleet.actors("ruuvi") == ["cellar"])
        fleet.cut = []
        fleet.run(.seconds(3))
        #expect(fleet.actors("ruuvi") == ["cellar"])
        #expect(fleet["attic"].admission(ofAdvertisement: "ruuvi", at: fleet.now) == .drop)
    }

    @Test func `a reading that waited is published only under the stamp under which it arrived`() throws {
        func rank(_ admission: Admission) -> Int {
            switch admission {
            case .publish: 0
            case .hold(nil): 1
            case .hold, .drop: 2
            }
        }
        let fleet = Self.fleet()
        fleet.start("attic")
        fleet.run(.seconds(12))
        let stamp = try #require(fleet["attic"].stamp(of: "ruuvi"))
        let older = FleetStamp(key: stamp.key, number: stamp.number - 1)
        #expect(fleet["attic"].admission(ofAdvertisement: "ruuvi", at: fleet.now) == .publish)
        #expect(fleet["attic"].admission(ofHeld: "ruuvi", stamp, arrival: fleet.now, at: fleet.now) == .publish)
        #expect(fleet["attic"].admission(ofHeld: "ruuvi", older, arrival: fleet.now, at: fleet.now) == .drop)
        // Another gateway owns the device 3.5 s after the last acknowledged report at the earliest.
        let later = (0..<400).map { step in
            fleet["attic"].admission(ofAdvertisement: "ruuvi", at: fleet.now + .milliseconds(10 * step))
        }
        #expect(later == later.sorted { rank($0) < rank($1) })
        #expect(74...75 ~= later.count { $0 == .hold(nil) })
        #expect(later.last == .hold(stamp))
        fleet.clearLog()
        fleet.cut = ["attic"]
        fleet.run(.seconds(3))
        fleet.cut = []
        fleet.run(.seconds(2))
        #expect(fleet.log.contains { $0.action == .publishHeldReadings })
    }

    @Test(arguments: [FleetRules.all, .all.subtracting(.linkedStay)])
    func `a device with a connection stays although another gateway receives it better`(rules: FleetRules) {
        let fleet = Self.fleet(["lock": .always])
        fleet.start("attic", rules: rules)
        fleet.start("cellar", rules: rules)
        fleet.run(.seconds(15))
        #expect(fleet.actors("lock") == ["attic"])
        fleet.send(.linked(device: "lock", true), to: "attic")
        fleet.levels["cellar"]?["lock"] = -30
        fleet.run(.seconds(400))
        #expect(fleet.actors("lock") == [rules == .all ? "attic" : "cellar"])
    }

    @Test func `a device moves to the gateway that has its connection`() {
        let fleet = Self.fleet(["lock": .always])
        fleet.start("attic")
        fleet.run(.seconds(15))
        #expect(fleet.actors("lock") == ["attic"])
        fleet.start("cellar", links: ["lock"])
        fleet.run(.seconds(12))
        #expect(fleet.actors("lock") == ["cellar"])
        #expect(!fleet.log.contains { $0.action == .disconnect(device: "lock") })
    }

    @Test(arguments: [FleetRules.all, .all.subtracting(.links)])
    func `a gateway disconnects from a device that it has not owned for 6 s`(rules: FleetRules) {
        // The decider does not move the device, so the other gateway keeps a connection that is not its own.
        let fleet = Self.fleet(["lock": .always])
        fleet.start("attic", rules: .all.subtracting(.linkedStay))
        fleet.run(.seconds(15))
        fleet.start("cellar", rules: rules, links: ["lock"])
        fleet.run(.seconds(5))
        #expect(!fleet.log.contains { $0.action == .disconnect(device: "lock") })
        fleet.run(.seconds(5))
        #expect(fleet.log.contains { $0.action == .disconnect(device: "lock") } == (rules == .all))
    }

    /// Without its decider, a gateway still has a connection to a broker: to one side of a cluster that has split.
    @Test(arguments: [FleetRules.all, .all.subtracting(.links)], [true, false])
    func `a gateway without its broker or decider for 30 s disconnects once, and connects again after 15 s`(
        rules: FleetRules, losesBroker: Bool
    ) {
        let fleet = Self.pair(["lock": .always], rules: rules)
        fleet.send(.linked(device: "lock", true), to: "attic")
        fleet.clearLog()
        fleet.cut = ["attic"]
        if losesBroker {
            fleet.send(.disconnected, to: "attic")
        } else {
            // It acts until the last acknowledgement is too old.
            fleet.run(.milliseconds(2500))
        }
        fleet.run(.milliseconds(29_000))
        #expect(!fleet.log.contains { $0.action == .disconnect(device: "lock") })
        fleet.run(.milliseconds(1500))
        let count = rules == .all ? 1 : 0
        #expect(fleet.log.count { $0.action == .disconnect(device: "lock") } == count)
        #expect(!fleet.log.contains { $0.action == .reconnect(device: "lock") })
        fleet.run(.seconds(15))
        #expect(fleet.log.count { $0.action == .reconnect(device: "lock") } == count)
        if rules == .all { fleet.send(.linked(device: "lock", true), to: "attic") }
        fleet.run(.seconds(120))
        #expect(fleet.log.count { $0.action == .disconnect(device: "lock") } == count)
    }

    @Test func `a gateway that was alone keeps its connections without its broker`() {
        let fleet = Self.fleet(["lock": .always])
        fleet.start("attic")
        fleet.run(.seconds(15))
        fleet.send(.linked(device: "lock", true), to: "attic")
        fleet.send(.disconnected, to: "attic")
        fleet.run(.seconds(120))
        #expect(!fleet.log.contains { $0.action == .disconnect(device: "lock") })
    }

    @Test func `a gateway that returns before 15 s connects again if it still owns the device`() {
        let fleet = Self.fleet(["lock": .always])
        fleet.start("attic")
        fleet.start("cellar")
        fleet.run(.seconds(20))
        #expect(fleet.actors("lock") == ["attic"])
        fleet.send(.linked(device: "lock", true), to: "attic")
        // The broker fails, and both gateways lose it.
        fleet.clearLog()
        fleet.cut = ["attic", "cellar"]
        for gateway in ["attic", "cellar"] { fleet.send(.disconnected, to: gateway) }
        fleet.run(.seconds(35))
        #expect(fleet.log.contains { $0.action == .disconnect(device: "lock") })
        fleet.cut = []
        for gateway in ["attic", "cellar"] { fleet.send(.connected(connection: 2), to: gateway) }
        fleet.run(.seconds(8))
        #expect(fleet.actors("lock") == ["attic"])
        #expect(fleet.log.contains { $0.action == .reconnect(device: "lock") })
    }

    @Test func `the second process of a name does nothing while the first one runs`() {
        let fleet = Self.fleet()
        fleet.start("attic")
        fleet.run(.seconds(15))
        fleet.start("attic'", name: "attic")
        fleet.levels["attic'"] = ["ruuvi": -50]
        fleet.run(.seconds(30))
        #expect(fleet.actors("ruuvi") == ["attic"])
        #expect(fleet.deciders == ["attic"])
        fleet.kill("attic")
        fleet.run(.seconds(15))
        #expect(fleet.actors("ruuvi") == ["attic'"])
    }

    @Test func `the second process of a name does not end the connections of the first one`() {
        let fleet = Self.fleet(["lock": .always])
        for gateway in ["attic", "cellar"] { fleet.start(gateway) }
        fleet.run(.seconds(15))
        fleet.send(.linked(device: "lock", true), to: "attic")
        // Both use one bluetoothd.
        fleet.start("attic'", name: "attic", links: ["lock"])
        fleet.run(.seconds(60))
        #expect(!fleet.log.contains { $0.action == .disconnect(device: "lock") })
    }

    @Test func `a gateway reports once that its name is taken`() {
        let fleet = Self.fleet()
        fleet.start("attic")
        fleet.run(.seconds(15))
        fleet.start("attic'", name: "attic")
        fleet.run(.seconds(30))
        #expect(fleet.log.count { $0.action == .notify(.nameTaken) } == 1)
    }

    @Test func `a device that another gateway does not know is reported after a minute, once`() {
        let fleet = Self.fleet()
        fleet.start("attic")
        fleet.start("cellar")
        fleet.run(.seconds(15))
        fleet.send(.devices(["ruuvi": .never, "mug": .never], roster: "77b0"), to: "cellar")
        fleet.run(.seconds(50))
        #expect(fleet.differences == [])
        fleet.run(.seconds(20))
        #expect(fleet.differences == [.unknownDevice("mug", at: "attic", knownAt: "cellar")])
        fleet.send(.devices(["mug": .never], roster: "1234"), to: "cellar")
        fleet.run(.seconds(120))
        #expect(fleet.differences.count == 1)
        fleet.send(.devices(["ruuvi": .never], roster: "5ad1"), to: "cellar")
        fleet.run(.seconds(20))
        fleet.send(.devices(["ruuvi": .never], roster: "9999"), to: "cellar")
        fleet.run(.seconds(80))
        #expect(fleet.differences.dropFirst() == [.otherList("cellar", "attic")])
    }

    @Test func `a process publishes as the gateway only while no other one has its name`() {
        let fleet = Self.fleet()
        fleet.start("attic")
        fleet.run(.milliseconds(1400))
        #expect(!fleet.log.contains { $0.action == .appear })
        fleet.run(.seconds(15))
        #expect(fleet.log.count { $0.action == .appear } == 1)
        fleet.start("attic'", name: "attic")
        fleet.run(.seconds(30))
        #expect(!fleet.log.contains { $0 == ("attic'", .appear) })
        fleet.kill("attic")
        fleet.run(.seconds(15))
        #expect(fleet.log.count { $0 == ("attic'", .appear) } == 1)
        // A process that has had the name publishes at once on each further connection.
        fleet.clearLog()
        fleet.send(.disconnected, to: "attic'")
        fleet.send(.connected(connection: 2), to: "attic'")
        #expect(fleet.log.map(\.action) == [.appear])
    }

    @Test func `a new decider does not repeat that a gateway is lost`() {
        let fleet = Self.fleet()
        for gateway in ["attic", "barn", "cellar"] { fleet.start(gateway) }
        fleet.run(.seconds(20))
        #expect(fleet.deciders == ["attic"])
        fleet.kill("cellar")
        fleet.run(.seconds(6))
        #expect(fleet.log.count { $0.action == .notify(.memberLost("cellar")) } == 1)
        fleet.kill("attic")
        fleet.run(.seconds(10))
        #expect(fleet.deciders == ["barn"])
        #expect(fleet.log.count { $0.action == .notify(.memberLost("cellar")) } == 1)
        #expect(fleet.log.count { $0.action == .notify(.memberLost("attic")) } == 1)
    }

    @Test func `a device that a gateway no longer has in its configuration belongs to another one`() {
        let fleet = Self.pair(["ruuvi": .never, "mug": .never])
        fleet.send(.devices(["mug": .never], roster: "77b0"), to: "attic")
        fleet.run(.milliseconds(100))
        #expect(fleet.actors("ruuvi") == ["cellar"])
        #expect(fleet.actors("mug") == ["attic"])
        fleet.send(.devices(["mug": .never], roster: "77b0"), to: "cellar")
        fleet.run(.seconds(6))
        #expect(fleet.actors("ruuvi") == [])
        #expect(fleet["cellar"].owners == ["mug": "attic"])
        for gateway in ["attic", "cellar"] {
            fleet.send(.devices(["mug": .never, "ruuvi": .never, "porch": .never], roster: "1234"), to: gateway)
        }
        fleet.run(.seconds(8))
        #expect(fleet.actors("ruuvi").count == 1)
        #expect(fleet.actors("porch").count == 1)
    }

    @Test func `a bonded device belongs to the gateway with the bond`() {
        let fleet = Self.pair(["lock": .sometimes])
        fleet.send(.bonded(["lock"]), to: "cellar")
        fleet.run(.seconds(6))
        #expect(fleet.actors("lock") == ["cellar"])
        fleet.run(.seconds(400))
        #expect(fleet.actors("lock") == ["cellar"])
    }

    /// Returns a fleet in which `attic` has the bond with `lock` and has failed; `cellar` owns it.
    private static func fleetWithoutBond() -> SmallFleet {
        let fleet = Self.pair(["lock": .always])
        fleet.send(.bonded(["lock"]), to: "attic")
        fleet.send(.bonded([]), to: "cellar")
        fleet.run(.seconds(6))
        #expect(fleet["attic"].reason(of: "lock") == "bonded here")
        #expect(fleet["attic"].obstacle(to: "lock") == nil)
        fleet.kill("attic")
        fleet.run(.seconds(8))
        #expect(fleet.actors("lock") == ["cellar"])
        return fleet
    }

    @Test
    func `without a gateway with the bond, the owner does not connect, and executes requests without a connection`() {
        let fleet = Self.fleetWithoutBond()
        #expect(fleet["cellar"].obstacle(to: "lock") == "bonded with attic, which is offline")
        #expect(fleet["cellar"].reason(of: "lock") == "bonded with attic, which is offline")
        fleet.clearLog()
        fleet.send(.request("9f3c", FleetRequest(device: "lock", remaining: 60_000, content: .null)), to: "cellar")
        fleet.run(.seconds(1))
        #expect(fleet.log.map(\.action.isExecution) == [true])
    }

    @Test func `a bonded device returns to the gateway with the bond, before it has reported its bonds`() {
        let fleet = Self.fleetWithoutBond()
        fleet.levels["attic'"] = ["lock": -60]
        fleet.start("attic'", name: "attic")
        fleet.run(.seconds(12))
        #expect(fleet.actors("lock") == ["attic'"])
        #expect(fleet["attic'"].obstacle(to: "lock") == nil)
        #expect(fleet["attic'"].reason(of: "lock") == "bonded here")
    }

    @Test func `a bond that is removed, and one that is made, change what the owner may do`() {
        let fleet = Self.fleetWithoutBond()
        fleet.clearLog()
        fleet.send(.bonded(["lock"]), to: "cellar")
        #expect(fleet["cellar"].obstacle(to: "lock") == nil)
        #expect(fleet.log.contains { $0.action == .obstacleChanged(device: "lock") })
        fleet.send(.bonded([]), to: "cellar")
        #expect(fleet["cellar"].obstacle(to: "lock") != nil)
        fleet.levels["attic'"] = ["lock": -60]
        fleet.start("attic'", name: "attic")
        fleet.run(.seconds(12))
        #expect(fleet.actors("lock") == ["attic'"])
        // Without any bond, the gateway with the better signal owns the device.
        fleet.send(.bonded([]), to: "attic'")
        fleet.run(.seconds(6))
        #expect(fleet["attic'"].reason(of: "lock") == "-60 here, -80 at cellar")
    }

    @Test func `a new decider knows the bonds of a gateway that failed before its start`() {
        let fleet = Self.fleetWithoutBond()
        fleet.start("barn")
        fleet.levels["barn"] = ["lock": -70]
        fleet.run(.seconds(10))
        let memory = fleet["cellar"].memory
        #expect(memory.bonds == ["lock": ["attic"]])
        fleet.kill("cellar")
        fleet.run(.seconds(10))
        #expect(fleet.actors("lock") == ["barn"])
        #expect(fleet["barn"].obstacle(to: "lock") == "bonded with attic, which is offline")
    }

    @Test func `a new owner gets the counters of encrypted advertisements that the former one has reported`() {
        let fleet = Self.pair(["scale": .never])
        fleet.send(.counters(["scale": ["bthome": 17]]), to: "attic")
        // Another gateway's counters do not count.
        fleet.send(.counters(["scale": ["bthome": 3]]), to: "cellar")
        fleet.run(.seconds(2))
        fleet.kill("attic")
        fleet.run(.seconds(8))
        #expect(fleet.actors("scale") == ["cellar"])
        #expect(fleet["cellar"].counters(of: "scale") == ["bthome": 17])
    }

    @Test func `a new owner gets the counters of a gateway that stops, or that drops the device`() {
        let fleet = Self.pair(["scale": .never])
        fleet.send(.counters(["scale": ["bthome": 17]]), to: "attic")
        fleet.send(.stop, to: "attic")
        fleet.kill("attic")
        fleet.run(.milliseconds(50))
        #expect(fleet["cellar"].counters(of: "scale") == ["bthome": 17])
        fleet.start("barn")
        fleet.levels["barn"] = ["scale": -40]
        fleet.onEnd = { fleet.send(.counters(["scale": ["bthome": 40]]), to: "cellar") }
        fleet.run(.seconds(40))
        #expect(fleet.actors("scale") == ["barn"])
        #expect(fleet["barn"].counters(of: "scale") == ["bthome": 40])
    }

    @Test func `places lists the owner of each device, and the signal strengths at all gateways`() throws {
        let fleet = Self.pair()
        let place = try #require(fleet["cellar"].places(at: fleet.now)["ruuvi"])
        #expect(place.owner == "attic")
        #expect(place.signals == ["attic": -60, "cellar": -80])
        #expect(place.destination == nil && place.holder == nil)
        #expect(fleet["attic"].places(at: fleet.now).isEmpty)
    }

    @Test func `a gateway that stops passes its devices on at once`() {
        let fleet = Self.pair()
        fleet.send(.stop, to: "attic")
        fleet.kill("attic")
        fleet.run(.milliseconds(50))
        #expect(fleet.actors("ruuvi") == ["cellar"])
    }

    @Test func `a decider that stops passes its devices and the right to decide on`() {
        let fleet = Self.fleet()
        fleet.start("attic")
        fleet.start("cellar")
        fleet.run(.seconds(20))
        #expect(fleet.deciders == ["attic"])
        fleet.send(.stop, to: "attic")
        fleet.kill("attic")
        fleet.run(.milliseconds(50))
        #expect(fleet.actors("ruuvi") == ["cellar"])
        fleet.run(.seconds(1))
        #expect(fleet.deciders == ["cellar"])
    }

    @Test func `a request is executed after a decision has announced it, and answered once`() {
        let fleet = Self.fleet(["lock": .sometimes])
        fleet.start("attic")
        fleet.start("cellar")
        fleet.run(.seconds(20))
        fleet.clearLog()
        let request = FleetRequest(device: "lock", remaining: 60_000, content: .null)
        for gateway in ["attic", "cellar"] { fleet.send(.request("9f3c", request), to: gateway) }
        #expect(fleet.log.map(\.action) == [.connect(device: "lock")])
        fleet.clearLog()
        fleet.send(.linked(device: "lock", true), to: "attic")
        #expect(fleet.log.isEmpty)
        fleet.run(.milliseconds(100))
        #expect(fleet.log.count == 1)
        #expect(fleet.decisions.contains { $0.begun["9f3c"]?.process?.gateway == "attic" })
        fleet.clearLog()
        fleet.send(.executed("9f3c"), to: "attic")
        #expect(fleet.log.map(\.action) == [.respond("9f3c", .executed)])
        fleet.clearLog()
        fleet.run(.seconds(100))
        #expect(!fleet.log.contains { $0.action == .respond("9f3c", .executed) })
    }

    @Test func `a request that a failed gateway had begun is answered as interrupted`() {
        let fleet = Self.pair(["lock": .sometimes])
        let request = FleetRequest(device: "lock", remaining: 60_000, content: .null)
        for gateway in ["attic", "cellar"] { fleet.send(.request("9f3c", request), to: gateway) }
        fleet.send(.linked(device: "lock", true), to: "attic")
        fleet.run(.milliseconds(100))
        #expect(fleet.log.contains { $0.gateway == "attic" && $0.action.isExecution })
        fleet.kill("attic")
        fleet.run(.seconds(8))
        #expect(fleet.log.contains { $0.gateway == "cellar" && $0.action.isInterruption })
    }

    @Test func `a gateway that stops reports again what it has answered, because no decision has announced it`() {
        let fleet = Self.pair(["lock": .never])
        fleet.isLost = { if case .report(let report, _) = $0 { !report.done.isEmpty } else { false } }
        let request = FleetRequest(device: "lock", remaining: 60_000, content: .null)
        for gateway in ["attic", "cellar"] { fleet.send(.request("9f3c", request), to: gateway) }
        fleet.run(.milliseconds(100))
        fleet.send(.executed("9f3c"), to: "attic")
        fleet.isLost = { _ in false }
        fleet.send(.stop, to: "attic")
        fleet.kill("attic")
        fleet.run(.seconds(8))
        #expect(fleet.actors("lock") == ["cellar"])
        #expect(fleet.decisions.contains { $0.done == ["9f3c"] })
        #expect(!fleet.decisions.contains { !$0.orders.isEmpty })
    }

    @Test func `gateways report an answer each second until a decision announces it`() {
        let fleet = Self.pair(["lock": .never])
        var lost = 0
        fleet.isLost = { event in
            guard case .report(let report, _) = event, !report.done.isEmpty, lost < 2 else { return false }
            lost += 1
            return true
        }
        let request = FleetRequest(device: "lock", remaining: 60_000, content: .null)
        fleet.send(.request("9f3c", request), to: "attic")
        fleet.run(.milliseconds(100))
        fleet.send(.executed("9f3c"), to: "attic")
        fleet.run(.seconds(10))
        #expect(lost == 2)
        #expect(fleet.decisions.count { $0.done == ["9f3c"] } == 1)
    }

    @Test func `of two gateways that begin a request, the first one executes it`() throws {
        let fleet = Self.pair(["lock": .never])
        let key = try #require(fleet["cellar"].followed)
        let request = FleetRequest(device: "lock", remaining: 60_000, content: .null)
        for gateway in ["attic", "cellar"] { fleet.send(.request("9f3c", request), to: gateway) }
        fleet.run(.milliseconds(5))
        var second = FleetReport(start: "start of barn", number: 1, connection: 1, followed: key)
        second.begun = ["9f3c": request]
        fleet.send(.report(second, gateway: "barn"), to: "cellar")
        fleet.run(.seconds(3))
        let processes = fleet.decisions.compactMap { $0.begun["9f3c"]?.process?.gateway }
        #expect(!processes.isEmpty && processes.allSatisfy { $0 == "attic" })
        #expect(fleet.log.filter(\.action.isExecution).map(\.gateway) == ["attic"])
    }

    @Test func `a request that is begun again is announced as answered`() throws {
        let fleet = Self.pair(["lock": .never])
        let key = try #require(fleet["cellar"].followed)
        let request = FleetRequest(device: "lock", remaining: 60_000, content: .null)
        for gateway in ["attic", "cellar"] { fleet.send(.request("9f3c", request), to: gateway) }
        fleet.run(.milliseconds(100))
        fleet.send(.executed("9f3c"), to: "attic")
        fleet.run(.seconds(1))
        let count = fleet.decisions.count
        var late = FleetReport(start: "start of barn", number: 1, connection: 1, followed: key)
        late.begun = ["9f3c": request]
        fleet.send(.report(late, gateway: "barn"), to: "cellar")
        fleet.run(.milliseconds(100))
        #expect(fleet.decisions.dropFirst(count).contains { $0.done == ["9f3c"] })
        #expect(!fleet.decisions.dropFirst(count).contains { !$0.begun.isEmpty })
    }

    @Test func `a gateway that returns with a response drops it if another one answers as interrupted`() {
        let fleet = Self.pair(["lock": .never])
        let request = FleetRequest(device: "lock", remaining: 60_000, content: .null)
        for gateway in ["attic", "cellar"] { fleet.send(.request("9f3c", request), to: gateway) }
        fleet.run(.milliseconds(100))
        #expect(fleet.log.contains { $0.gateway == "attic" && $0.action.isExecution })
        fleet.cut = ["attic"]
        fleet.run(.seconds(3))
        fleet.send(.executed("9f3c"), to: "attic")
        // The answer of the new owner does not arrive.
        fleet.isLost = { if case .report(let report, _) = $0 { !report.done.isEmpty } else { false } }
        fleet.run(.seconds(5))
        #expect(fleet.log.contains { $0.gateway == "cellar" && $0.action.isInterruption })
        fleet.cut = []
        fleet.run(.seconds(3))
        #expect(fleet.log.contains { $0 == ("attic", .dropResponse("9f3c")) })
        #expect(!fleet.log.contains { $0.action == .respond("9f3c", .executed) })
    }

    @Test func `requests without room are refused by the owner, and known to no gateway`() {
        let fleet = Self.pair()
        fleet.clearLog()
        fleet.cut = ["attic", "cellar"]
        let large = FleetRequest(
            device: "ruuvi", remaining: 60_000, content: .string(String(repeating: "x", count: 60_000)))
        for number in 0..<10 {
            for gateway in ["attic", "cellar"] { fleet.send(.request("5ad1.\(number)", large), to: gateway) }
        }
        let refusals = fleet.log.filter { $0.action == .refuse(large) }
        #expect(refusals.count == 6)
        #expect(Set(refusals.map(\.gateway)).count == 1)
        #expect(fleet["attic"].numbers(ofRequests: "5ad1", at: fleet.now) == RequestNames.Known(greatest: 3, recent: 0))
        #expect(fleet["attic"].numbers(ofRequests: "5ad", at: fleet.now) == nil)
    }

    @Test func `a request that a gateway knows from reports is recent for 10 s, also when it is answered`() {
        let fleet = Self.pair(["lock": .sometimes])
        fleet.send(.linked(device: "lock", true), to: "attic")
        let request = FleetRequest(device: "lock", remaining: 60_000, content: .null)
        for number in 3...4 { fleet.send(.request("5ad1.\(number)", request), to: "attic") }
        fleet.run(.milliseconds(100))
        fleet.send(.executed("5ad1.3"), to: "attic")
        fleet.run(.seconds(5))
        let numbers = { fleet["cellar"].numbers(ofRequests: "5ad1", at: fleet.now) }
        #expect(numbers() == RequestNames.Known(greatest: 4, recent: 3))
        fleet.run(.seconds(6))
        #expect(numbers() == RequestNames.Known(greatest: 4, recent: nil))
    }

    @Test(arguments: [FleetRules.all, .all.subtracting(.announcement)])
    func `a request is not executed twice if its report did not arrive`(rules: FleetRules) {
        let fleet = Self.pair(["lock": .sometimes], rules: rules)
        fleet.send(.linked(device: "lock", true), to: "attic")
        fleet.cut = ["attic"]
        let request = FleetRequest(device: "lock", remaining: 60_000, content: .null)
        for gateway in ["attic", "cellar"] { fleet.send(.request("9f3c", request), to: gateway) }
        fleet.run(.seconds(6))
        fleet.send(.linked(device: "lock", true), to: "cellar")
        fleet.run(.seconds(3))
        let executions = fleet.log.filter(\.action.isExecution).map(\.gateway)
        #expect(executions == (rules == .all ? ["cellar"] : ["attic", "cellar"]))
    }

    @Test(arguments: [FleetRules.all, .all.subtracting(.assignment)])
    func `an assignment without a fresh acknowledgement gives nothing, and a stamp counts once`(rules: FleetRules)
        throws
    {
        let fleet = Self.pair(rules: rules)
        let stamp = try #require(fleet["attic"].stamp(of: "ruuvi"))
        let key = stamp.key
        var decision = try #require(fleet.decisions.last)
        // The acknowledgement is from before the lease: the message was under way for long.
        fleet.run(.seconds(4))
        fleet.send(.devices(["ruuvi": .never, "porch": .never], roster: "77b0"), to: "attic")
        let newer = FleetStamp(key: key, number: stamp.number + 1)
        decision.owners = ["porch": .init(gateway: "attic", stamp: newer)]
        fleet.send(.decision(decision), to: "attic")
        #expect(fleet["attic"].owns("porch") == (rules != .all))
        // Another gateway gets the device; then a repetition of the first assignment arrives.
        decision = try #require(fleet.decisions.last)
        decision.owners = ["ruuvi": .init(gateway: "cellar", stamp: newer)]
        fleet.send(.decision(decision), to: "attic")
        #expect(!fleet["attic"].owns("ruuvi"))
        decision.owners = ["ruuvi": .init(gateway: "attic", stamp: stamp)]
        fleet.send(.decision(decision), to: "attic")
        #expect(fleet["attic"].owns("ruuvi") == (rules != .all))
    }

    @Test(arguments: [FleetRules.all, .all.subtracting(.collection)])
    func `a new decider waits for the report of a gateway that answers late`(rules: FleetRules) {
        let fleet = Self.pair(["ruuvi": .never, "mug": .never, "porch": .never], rules: rules)
        fleet.start("barn", rules: rules)
        fleet.levels["barn"] = ["porch": -30]
        fleet.run(.seconds(30))
        #expect(fleet.actors("porch") == ["barn"])
        fleet.kill("cellar")
        fleet.run(.milliseconds(3200))
        fleet.cut = ["barn"]
        fleet.run(.milliseconds(1500))
        #expect(fleet.deciders == ["attic"])
        fleet.cut = []
        fleet.run(.seconds(1))
        #expect(fleet.actors("porch") == [rules == .all ? "barn" : "attic"])
    }

    @Test func `the silence of the decider does not count while the broker stalls`() {
        let fleet = Self.pair()
        fleet.cut = ["attic", "cellar"]
        fleet.run(.seconds(5))
        // After the stall, the reports of a gateway come back before the decisions of another node arrive.
        fleet.isLost = { if case .decision = $0 { true } else { false } }
        fleet.cut = []
        fleet.run(.seconds(3))
        #expect(fleet.deciders == ["cellar"])
        fleet.run(.seconds(2))
        #expect(fleet.deciders == ["attic"])
    }

    @Test func `a new decider waits for the former one if that one reports after the beginning of the term`() throws {
        let fleet = Self.pair()
        let former = try #require(fleet["cellar"].followed)
        let number = try #require(fleet.reports.last { $0.gateway == "cellar" }).report.number
        fleet.cut = ["cellar"]
        // The first decision of the term follows after 10 ms.
        while fleet.deciders == ["cellar"] { fleet.run(.milliseconds(3)) }
        fleet.kill("cellar")
        let report = FleetReport(start: "start of cellar", number: number + 20, connection: 1, followed: former)
        fleet.send(.report(report, gateway: "cellar"), to: "attic")
        fleet.run(.seconds(3))
        #expect(!fleet["attic"].hasCollected)
        fleet.run(.seconds(1))
        #expect(fleet["attic"].hasCollected)
    }

    @Test func `the epoch is stored before the first decision`() {
        let fleet = Self.fleet()
        fleet.start("attic")
        fleet.run(.seconds(4))
        #expect(fleet.decisions.first?.key.epoch == 1)
        #expect(fleet.log.first { $0.action == .store || $0.action == .notify(.decider("attic")) }?.action == .store)
        #expect(fleet["attic"].memory.epoch == 1)
    }

    /// Returns a fleet in which `barn` owned the device until it was cut off, then `attic`, which has failed.
    ///
    /// The next decider, `cellar`, was cut off when that happened; `door` was not.
    private static func fleetWithReturn() throws -> (SmallFleet, FleetStamp) {
        let fleet = SmallFleet(devices: ["ruuvi": .never])
        fleet.levels = [
            "attic": ["ruuvi": -60], "barn": ["ruuvi": -40], "cellar": ["ruuvi": -80], "door": ["ruuvi": -80],
        ]
        for gateway in ["attic", "barn", "cellar", "door"] { fleet.start(gateway) }
        fleet.run(.seconds(20))
        #expect(fleet.deciders == ["attic"])
        #expect(fleet.actors("ruuvi") == ["barn"])
        let stamp = try #require(fleet["barn"].stamp(of: "ruuvi"))
        func cutOff(_ gateways: Set<String>) {
            for gateway in gateways { fleet.send(.disconnected, to: gateway) }
            fleet.cut = gateways
        }
        cutOff(["barn", "cellar"])
        fleet.run(.seconds(6))
        #expect(fleet.actors("ruuvi") == ["attic"])
        fleet.cut = ["barn"]
        fleet.send(.connected(connection: 2), to: "cellar")
        // A gateway that fails for some seconds is no longer the next one.
        fleet.cut.insert("door")
        fleet.run(.seconds(6))
        fleet.cut = ["barn"]
        fleet.run(.seconds(6))
        return (fleet, stamp)
    }

    @Test func `a new decider gets the stamps that another gateway remembers`() throws {
        let (fleet, stamp) = try Self.fleetWithReturn()
        fleet.kill("attic")
        fleet.run(.milliseconds(3000))
        fleet.cut = []
        fleet.send(.connected(connection: 2), to: "barn")
        fleet.run(.seconds(10))
        #expect(fleet.deciders == ["cellar"])
        #expect(fleet.actors("ruuvi") == ["barn"])
        // Readings that waited while `attic` owned the device are not published.
        let arrival = fleet.now + .seconds(-15)
        #expect(fleet["barn"].admission(ofHeld: "ruuvi", stamp, arrival: arrival, at: fleet.now) == .drop)
    }

    @Test func `a device without an owner does not return to readings that a failed owner has published`() throws {
        let (fleet, stamp) = try Self.fleetWithReturn()
        let arrival = fleet.now
        fleet.kill("attic")
        fleet.run(.seconds(15))
        #expect(fleet.deciders == ["cellar"])
        fleet.cut = []
        fleet.send(.connected(connection: 2), to: "barn")
        fleet.run(.seconds(5))
        // Only `door` remembers that `attic` owned the device, and reported that after the begin of the term.
        #expect(fleet["barn"].admission(ofHeld: "ruuvi", stamp, arrival: arrival, at: fleet.now) == .drop)
    }

    @Test func `a new decider gets the answered requests that another gateway remembers`() throws {
        let (fleet, _) = try Self.fleetWithReturn()
        let request = FleetRequest(device: "ruuvi", remaining: 60_000, content: .null)
        fleet.cut = ["barn", "cellar"]
        for gateway in ["attic", "cellar", "door"] { fleet.send(.request("9f3c", request), to: gateway) }
        fleet.run(.milliseconds(100))
        fleet.send(.executed("9f3c"), to: "attic")
        fleet.run(.milliseconds(100))
        fleet.kill("attic")
        fleet.cut = ["barn"]
        fleet.clearLog()
        fleet.run(.seconds(20))
        #expect(fleet.deciders == ["cellar"])
        #expect(!fleet.log.contains { $0.action.isExecution || $0.action.isInterruption })
    }

    @Test func `a decider that has kept its seat while it changed the node of the broker assigns at once`() {
        let fleet = Self.fleet(["lock": .always])
        for gateway in ["attic", "cellar"] { fleet.start(gateway, hasSeat: true) }
        fleet.run(.seconds(20))
        #expect(fleet.deciders == ["attic"])
        fleet.send(.disconnected, to: "attic")
        fleet.send(.connected(connection: 2), to: "attic")
        fleet.run(.milliseconds(2500))
        #expect(fleet.deciders == ["attic"])
        #expect(fleet.actors("lock").count == 1)
    }

    @Test func `a decider that takes the seat does not repeat the requests that are recorded as answered`() {
        let fleet = Self.pair(["lock": .never])
        let request = FleetRequest(device: "lock", remaining: 60_000, content: .null)
        fleet.cut = ["attic"]
        for gateway in ["attic", "cellar"] { fleet.send(.request("9f3c", request), to: gateway) }
        fleet.send(.seated(begun: [:], answered: ["9f3c"], asked: fleet.now, giver: nil), to: "attic")
        fleet.kill("cellar")
        fleet.cut = []
        fleet.clearLog()
        fleet.run(.seconds(20))
        #expect(fleet.actors("lock") == ["attic"])
        #expect(!fleet.log.contains { $0.action.isExecution })
    }

    @Test(arguments: [FleetRules.all, .all.subtracting(.repetition)])
    func `the decider repeats an assignment that was lost`(rules: FleetRules) {
        let fleet = Self.fleet()
        fleet.start("attic", rules: rules)
        fleet.start("cellar", rules: rules)
        fleet.isLost = { event in
            if case .decision(let decision) = event { !decision.owners.isEmpty } else { false }
        }
        fleet.run(.seconds(11))
        #expect(fleet.actors("ruuvi") == [])
        fleet.isLost = { _ in false }
        fleet.run(.seconds(3))
        #expect(fleet.actors("ruuvi") == (rules == .all ? ["attic"] : []))
    }

    @Test func `the decider repeats an assignment that was lost, also while requests cause decisions all the time`() {
        let fleet = Self.pair(["mug": .never])
        fleet.levels = ["attic": ["mug": -60, "ruuvi": -60], "cellar": ["mug": -80, "ruuvi": -80]]
        fleet.isLost = { event in
            if case .decision(let decision) = event { !decision.owners.isEmpty } else { false }
        }
        for gateway in ["attic", "cellar"] {
            fleet.send(.devices(["mug": .never, "ruuvi": .never], roster: "1234"), to: gateway)
        }
        fleet.run(.seconds(8))
        #expect(fleet.actors("ruuvi") == [])
        fleet.isLost = { _ in false }
        let request = FleetRequest(device: "mug", remaining: 60_000, content: .null)
        for number in 0..<60 {
            for gateway in ["attic", "cellar"] { fleet.send(.request("\(number)", request), to: gateway) }
            fleet.run(.milliseconds(50))
        }
        #expect(fleet.actors("ruuvi").count == 1)
    }

    @Test func `a key from far in the future is ignored while a decider is received`() {
        let fleet = Self.fleet()
        fleet.start("attic")
        fleet.run(.seconds(15))
        let key = FleetKey(epoch: FleetLimits.number, rank: 0, gateway: "broken", start: "b")
        fleet.send(.decision(FleetDecision(key: key, number: 0)), to: "attic")
        fleet.run(.seconds(5))
        #expect(fleet.deciders == ["attic"])
        #expect(fleet.actors("ruuvi") == ["attic"])
    }
}

extension FleetAction {
    fileprivate var isExecution: Bool {
        if case .execute = self { true } else { false }
    }

    /// Whether the response says that the request was interrupted.
    fileprivate var isInterruption: Bool {
        if case .respond(_, .interrupted) = self { true } else { false }
    }
}

extension SmallFleet {
    /// The reported differences between the lists of devices, in order.
    fileprivate var differences: [FleetNotice] {
        log.compactMap { entry in
            switch entry.action {
            case .notify(let notice):
                switch notice {
                case .unknownDevice, .otherList: notice
                default: nil
                }
            default: nil
            }
        }
    }
}

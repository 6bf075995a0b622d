import JSON
import MQTT
import Testing

@testable import Contract

/// The payloads between gateways: written and parsed again they are the same values, and bad input is ignored.
@Suite struct FleetPayloadTests {
    private static let key = FleetKey(epoch: 7, rank: 100, gateway: "attic", start: "51aa")
    private static let stamp = FleetStamp(key: key, number: 31)

    private static var report: FleetReport {
        var report = FleetReport(start: "77b0", number: 12, connection: 3, followed: key, freeSlots: 5)
        report.whole = FleetReport.Whole(
            rank: 50, roster: "5ad1", owned: ["relay": stamp], remembered: ["mug": stamp], bonded: ["lock"],
            held: ["8c2e"])
        report.signals = ["relay": .received(-61), "mug": .none]
        report.links = ["relay": true, "lock": false]
        report.accepted = ["freezer": stamp]
        report.dropped = ["porch": stamp]
        report.counters = ["porch": ["bthome": 17], "scale": ["bthome": 3, "mibeacon": 8]]
        let request = FleetRequest(device: "relay", remaining: 59_200, content: ["value": 1])
        report.pending = [
            "9f3c": FleetClaim(request: request, process: nil),
            "77aa": FleetClaim(request: request, process: FleetProcess(gateway: "attic", start: "51aa")),
        ]
        report.begun = ["9f3c": request]
        report.done = ["8c2e"]
        report.doubt = FleetDoubt(
            requests: ["9f3c"],
            processes: [FleetProcess(gateway: "cellar", start: "1b"), FleetProcess(gateway: "cellar", start: "77b0")])
        report.hasMissed = true
        report.isLeaving = true
        return report
    }

    private static var decision: FleetDecision {
        var decision = FleetDecision(key: key, number: 88)
        decision.acknowledgements = [
            "attic": .init(start: "51aa", number: 4711, whole: 4690),
            "cellar": .init(start: "77b0", number: 12, whole: nil),
        ]
        decision.successors = ["cellar", "porch"]
        decision.owners = [
            "freezer": .init(gateway: "cellar", stamp: stamp),
            "porch": .init(gateway: "attic", stamp: stamp, why: "-58 here, -79 at cellar"),
            "lock": .init(gateway: "attic", stamp: stamp, why: "bonded here", bonded: ["attic", "barn"]),
            "scale": .init(gateway: "attic", stamp: stamp, counters: ["bthome": 4_294_967_295, "mibeacon": 0]),
        ]
        decision.releases = ["relay": .init(gateway: "attic", stamp: stamp)]
        decision.wanted = ["porch"]
        let request = FleetRequest(device: "relay", remaining: -40, content: .null)
        decision.orders = ["9f3c": FleetOrder(request: request, gateway: "cellar", isInterrupted: true)]
        decision.begun = ["9f3c": FleetClaim(request: request, process: FleetProcess(gateway: "cellar", start: "77b0"))]
        decision.done = ["77aa"]
        decision.changes = FleetChanges.Summary(greatest: 12, fingerprint: "5ad1")
        decision.isResigning = true
        return decision
    }

    @Test func `FleetReport is parsed as it was written`() throws {
        #expect(FleetReport(try JSON(parsing: Self.report.json.description)) == Self.report)
        let short = FleetReport(start: "51aa", number: 4711, connection: 1, followed: Self.key, freeSlots: 5)
        #expect(
            short.json.description
                == #"{"start":"51aa","n":4711,"connection":1,"follows":[7,100,"attic","51aa"],"free":5}"#)
        #expect(FleetReport(short.json) == short)
    }

    @Test func `a full report tells no bonds apart from bonds that are not known yet`() {
        var report = FleetReport(start: "51aa", number: 1, connection: 1)
        for bonded in [nil, [], ["lock"]] {
            report.whole = FleetReport.Whole(rank: 100, roster: "5ad1", owned: [:], bonded: bonded)
            #expect(FleetReport(report.json)?.whole?.bonded == bonded)
        }
    }

    @Test func `FleetDecision is parsed as it was written`() throws {
        #expect(FleetDecision(try JSON(parsing: Self.decision.json.description)) == Self.decision)
        let short = FleetDecision(key: Self.key, number: 88)
        #expect(short.json.description == #"{"key":[7,100,"attic","51aa"],"m":88,"acks":{},"next":[]}"#)
        #expect(FleetDecision(short.json) == short)
    }

    @Test func `FleetChanges is parsed as it was written`() throws {
        let revision = FleetRevision(number: 12, gateway: "attic")
        let messages = [
            FleetChanges(changes: ["C0:00:00:00:00:05": .init(revision: revision, content: ["removed": "window"])]),
            FleetChanges(known: .init(revisions: ["C0:00:00:00:00:05": revision])),
            FleetChanges(known: .init(revisions: [:], after: "C0:00:00:00:00:04", last: "C0:00:00:00:00:05")),
            FleetChanges(wanted: ["cellar": ["C0:00:00:00:00:05"]]), FleetChanges(),
        ]
        for message in messages {
            #expect(FleetChanges(try JSON(parsing: message.json.description)) == message)
        }
        #expect(FleetRevision(number: 12, gateway: "cellar") > revision)
        #expect(FleetRevision(number: 11, gateway: "cellar") < revision)
    }

    @Test func `RequestContent is parsed as it was written, and rejects a member that is not valid`() throws {
        let properties = Message.Properties(responseTopic: "answers/here", correlationData: [0, 255])
        let message = Message("bluefleet/porch/temperature/set", Array("21.5".utf8), properties: properties)
        for content in [RequestContent(message), RequestContent(Message("bluefleet/porch/temperature/get"))] {
            #expect(RequestContent(content.json) == content)
        }
        let received = RequestContent(message).message(expiringAfter: .seconds(7))
        #expect(received.payload == message.payload && received.properties.responseTopic == "answers/here")
        #expect(received.properties.correlationData == [0, 255] && received.expiry == .seconds(7))
        let invalid = [
            ("topic", "null"), ("topic", #""a/#""#), ("payload", #""*""#), ("response", "1"), ("correlation", "{}"),
        ]
        for (member, text) in invalid {
            #expect(RequestContent(Self.change(RequestContent(message).json, member, try JSON(parsing: text))) == nil)
        }
    }

    @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")])
    func `Base64 writes and reads the examples of RFC 4648`(text: String, base64: String) {
        #expect(Base64.encode(Array(text.utf8)) == base64)
        #expect(Base64.decode(base64) == Array(text.utf8))
    }

    @Test func `FleetKey: the greater epoch, the smaller rank, then the name that sorts first`() {
        func key(_ epoch: Int, _ rank: Int, _ gateway: String) -> FleetKey {
            FleetKey(epoch: epoch, rank: rank, gateway: gateway, start: "51aa")
        }
        #expect(key(8, 100, "b") > key(7, 0, "a"))
        #expect(key(7, 0, "b") > key(7, 100, "a"))
        #expect(key(7, 100, "a") > key(7, 100, "b"))
        #expect(FleetStamp(key: key(7, 100, "a"), number: 1) > FleetStamp(key: key(7, 100, "b"), number: 2))
        #expect(FleetStamp(key: key(7, 100, "a"), number: 2) > FleetStamp(key: key(7, 100, "a"), number: 1))
    }

    /// The JSON of a payload with one changed member.
    private static func change(_ payload: JSON, _ member: String, _ value: JSON?) -> JSON {
        var object = payload.object ?? [:]
        object[member] = value
        return .object(object)
    }

    @Test(arguments: [
        ("start", #""""#), ("start", "7"), ("n", "-1"), ("n", "1e300"), ("n", "9223372036854775807"), ("n", "1.5"),
        ("connection", "null"), ("follows", "[7,100]"), ("follows", #"[9223372036854775807,100,"attic","51aa"]"#),
        ("follows", "null"), ("free", "-4"), ("all", "false"), ("speaks", "null"), ("rank", "1e99"), ("roster", "1"),
        ("owns", "[]"), ("owns", #"{"relay":[7,100,"attic","51aa"]}"#), ("owns", #"{"":[7,100,"attic","51aa",1]}"#),
        ("owns", #"{"a\nb":[7,100,"attic","51aa",1]}"#), ("bonded", #"["lock",7]"#), ("hears", #"{"relay":"loud"}"#),
        ("hears", #"{"relay":-300}"#), ("hears", #"{"relay":1e40}"#), ("linked", #"{"relay":1}"#), ("got", "7"),
        ("dropped", #"{"relay":[7,100,"attic","51aa",-1]}"#), ("counters", #"{"relay":{"bthome":-1}}"#),
        ("counters", #"{"relay":7}"#), ("pending", #"{"9f3c":{"device":"relay"}}"#),
        ("begun", #"{"9f3c":{"device":"relay","remaining":1e18,"content":1}}"#), ("done", "{}"), ("missed", "1"),
        ("doubt", "[]"), ("doubt", #"{"requests":["9f3c"]}"#), ("doubt", #"{"requests":[],"processes":[["cellar"]]}"#),
        ("leaving", #""yes""#),
    ])
    func `FleetReport rejects a payload with a member that is not valid`(member: String, text: String) throws {
        let json = Self.change(Self.report.json, member, try JSON(parsing: text))
        #expect(FleetReport(json) == nil)
    }

    @Test(arguments: [
        ("key", "null"), ("key", #"[-1,100,"attic","51aa"]"#), ("key", #"[7,100,"attic",""]"#), ("m", #""88""#),
        ("acks", "[]"), ("acks", #"{"attic":["51aa",1]}"#), ("acks", #"{"attic":["51aa",1,"x"]}"#), ("next", "{}"),
        ("own", #"{"freezer":["cellar"]}"#), ("own", #"{"freezer":[7,[7,100,"attic","51aa",1]]}"#),
        ("release", #"{"freezer":null}"#), ("want", #"[null]"#), ("todo", #"{"9f3c":{"to":"cellar"}}"#),
        ("begun", #"{"9f3c":{"device":"relay","remaining":1,"content":1,"by":[]}}"#), ("done", "[[]]"),
        ("resign", "false"),
    ])
    func `FleetDecision rejects a payload with a member that is not valid`(member: String, text: String) throws {
        let json = Self.change(Self.decision.json, member, try JSON(parsing: text))
        #expect(FleetDecision(json) == nil)
    }

    // MARK: The largest fleet

    /// The names of the most devices, of 60 bytes each.
    private static let devices = (0..<FleetLimits.devices).map { number in
        "device \(number) ".padded(to: 60)
    }

    @Test func `a full report of 10,000 devices has parts that are accepted, and together are the report`() throws {
        var report = FleetReport(start: "51aa", number: 4711, connection: 3, followed: Self.key, freeSlots: 5)
        report.whole = FleetReport.Whole(rank: 100, roster: "5ad1", owned: [:], bonded: [], held: ["8c2e"])
        for device in Self.devices {
            report.whole?.owned[device] = Self.stamp
            report.signals[device] = .received(-61)
        }
        report.whole?.bonded = Array(Self.devices.prefix(1000))
        report.links = Dictionary(uniqueKeysWithValues: Self.devices.prefix(100).map { ($0, true) })
        report.counters = Dictionary(uniqueKeysWithValues: Self.devices.map { ($0, ["bthome": 4_294_967_295]) })
        report.accepted = report.whole?.owned ?? [:]
        report.dropped = report.accepted
        report.wanted = Self.devices
        report.hasMissed = true
        #expect(report.json.description.utf8.count > FleetLimits.payload)
        let payloads = report.parts.map(\.json.description)
        #expect(payloads.allSatisfy { $0.utf8.count <= FleetLimits.portion + 1000 })
        var parts = FleetReportParts()
        for (index, payload) in payloads.enumerated() {
            let part = try #require(FleetReport(JSON(parsing: payload)))
            let whole = parts.add(part, of: "attic")
            #expect(whole == (index == payloads.count - 1 ? report : nil))
        }
    }

    @Test func `a report without one of its parts is dropped, and parts of two gateways do not mix`() throws {
        func report(_ number: Int, of start: String = "51aa") -> FleetReport {
            var report = FleetReport(start: start, number: number, connection: 1)
            for device in Self.devices { report.signals[device] = .received(-61) }
            return report
        }
        let (attic, cellar) = (report(1).parts, report(1, of: "77b0").parts)
        #expect(attic.count > 2)
        var parts = FleetReportParts()
        for index in attic.indices.dropLast() {
            #expect(parts.add(attic[index], of: "attic") == nil)
            #expect(parts.add(cellar[index], of: "cellar") == nil)
        }
        #expect(parts.add(try #require(attic.last), of: "attic") == report(1))
        #expect(parts.add(try #require(cellar.last), of: "cellar") == report(1, of: "77b0"))
        for index in attic.indices where index != 1 { #expect(parts.add(attic[index], of: "attic") == nil) }
        // The parts of another report do not complete this one.
        #expect(parts.add(attic[0], of: "attic") == nil)
        for part in report(2).parts.dropFirst() { #expect(parts.add(part, of: "attic") == nil) }
        for part in report(3).parts.dropLast() { #expect(parts.add(part, of: "attic") == nil) }
        #expect(parts.add(FleetReport(start: "51aa", number: 4, connection: 1), of: "attic")?.number == 4)
    }

    @Test func `the owners of 10,000 devices are in decisions that are accepted, after the releases`() throws {
        var decision = Self.decision
        let why = "-58 here, -79 at the gateway in the cellar, -80 at the gateway on the porch"
        for device in Self.devices {
            decision.owners[device] = .init(gateway: "cellar", stamp: Self.stamp, why: why, bonded: ["attic"])
            decision.releases[device] = .init(gateway: "attic", stamp: Self.stamp)
        }
        #expect(decision.json.description.utf8.count > FleetLimits.payload)
        let portions = decision.portions
        var (owners, releases) = ([String: FleetDecision.Assignment](), [String: FleetDecision.Assignment]())
        for portion in portions {
            let payload = portion.json.description
            #expect(payload.utf8.count <= FleetLimits.portion + 1000)
            #expect(FleetDecision(try JSON(parsing: payload)) == portion)
            if !portion.owners.isEmpty { #expect(releases.count + portion.releases.count == decision.releases.count) }
            owners.merge(portion.owners) { $1 }
            releases.merge(portion.releases) { $1 }
        }
        #expect(owners == decision.owners && releases == decision.releases)
        #expect(portions.map(\.isResigning) == portions.indices.map { $0 == portions.count - 1 })
        #expect(portions[0].orders == decision.orders && portions[1].orders.isEmpty)
        #expect(Self.decision.portions == [Self.decision])
    }

    @Test func `the revisions of 10,000 devices are in lists that are accepted and cover each address once`() throws {
        let revision = FleetRevision(number: 1 << 40, gateway: "attic ".padded(to: 100))
        let addresses = (0..<FleetLimits.devices).map { "C0:00:\(1_000_000 + $0)" }
        let all = FleetChanges.List(revisions: Dictionary(uniqueKeysWithValues: addresses.map { ($0, revision) }))
        #expect(FleetChanges(known: all).json.description.utf8.count > FleetLimits.payload)
        var lists: [FleetChanges.List] = []
        repeat {
            let list = all.portion(after: lists.last?.last)
            let payload = FleetChanges(known: list).json.description
            #expect(payload.utf8.count <= FleetLimits.portion + 1000)
            #expect(FleetChanges(try JSON(parsing: payload))?.known == list)
            lists.append(list)
        } while lists.last?.last != nil
        #expect(lists.count > 3)
        for address in addresses + ["A", "C0:00:1005000x", "Z"] {
            let covering = lists.filter { $0.covers(address) }
            #expect(covering.count == 1)
            #expect(covering.first?.revisions[address] == all.revisions[address])
        }
    }

    @Test func `the payloads of a fleet reject more than 10,000 devices, and names of more than 512 bytes`() {
        var report = FleetReport(start: "51aa", number: 1, connection: 1)
        for number in 0..<10_000 { report.signals["device\(number)"] = .received(-60) }
        #expect(FleetReport(report.json) == report)
        report.signals["one more"] = FleetReport.Signal.none
        #expect(FleetReport(report.json) == nil)
        report.signals = [String(repeating: "n", count: 513): .received(-60)]
        #expect(FleetReport(report.json) == nil)
        #expect(FleetReport([]) == nil)
        #expect(FleetDecision("text") == nil)
    }
}

extension String {
    fileprivate func padded(to length: Int) -> String { self + String(repeating: "x", count: length - utf8.count) }
}

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
            rank: 50, roster: "5ad1", owned: ["relay": stamp], bonded: ["lock"], held: ["8c2e"])
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
            FleetChanges(known: ["C0:00:00:00:00:05": revision]), FleetChanges(known: [:]),
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

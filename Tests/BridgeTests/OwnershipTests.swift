import Codec
import Contract
import EventLoop
import JSON
import MQTT
import Sharing
import System
import Testing

@testable import Bridge

/// Readings, states and messages of shared devices, whose owner can be another gateway.
@Suite struct OwnershipTests {
    private static let stamp = FleetStamp(
        key: FleetKey(epoch: 1, rank: 100, gateway: "attic", start: "51aa"), number: 1)

    /// Used only by one test.
    private final class Answers: @unchecked Sendable {
        var admission = Admission.publish
        var admissionOfHeld = Admission.publish
        /// How often the readings should be kept soon.
        var keepCount = 0
    }

    private static func ownership(_ answers: Answers, limit: Int = 3) -> Ownership {
        Ownership(
            of: "sensor",
            Ownership.Questions(
                admission: { _ in answers.admission }, admissionOfHeld: { _, _, _ in answers.admissionOfHeld },
                limit: { limit },
                keepSoon: { answers.keepCount += 1 }, why: { _ in nil }, obstacle: { _ in nil }))
    }

    private static func admits(_ ownership: Ownership, _ second: Int64, areKept: Bool = false) -> Bool {
        ownership.admits([], at: instant(second), Timestamp(milliseconds: 0), areKept: areKept)
    }

    private static func instant(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

    @Test func `readings in doubt wait, the newest ones only, and are published in order`() {
        let answers = Answers()
        let ownership = Self.ownership(answers)
        #expect(Self.admits(ownership, 0))
        answers.admission = .hold(Self.stamp)
        for second in 1...5 { #expect(!Self.admits(ownership, Int64(second))) }
        answers.admissionOfHeld = .hold(Self.stamp)
        #expect(ownership.takeHeld().isEmpty)
        answers.admissionOfHeld = .publish
        #expect(ownership.takeHeld().map(\.arrival) == [3, 4, 5].map(Self.instant))
        #expect(ownership.takeHeld().isEmpty)
    }

    @Test func `readings that waited are dropped if another gateway owns the device`() {
        let answers = Answers()
        let ownership = Self.ownership(answers)
        answers.admission = .hold(Self.stamp)
        _ = Self.admits(ownership, 1)
        answers.admissionOfHeld = .drop
        #expect(ownership.takeHeld().isEmpty)
        answers.admissionOfHeld = .publish
        #expect(ownership.takeHeld().isEmpty)
    }

    @Test func `readings in doubt are kept on the disk once, without the newest ones until the end`() {
        let answers = Answers()
        let ownership = Self.ownership(answers)
        answers.admission = .hold(Self.stamp)
        for second in 1...4 { #expect(!Self.admits(ownership, Int64(second), areKept: true)) }
        // There is room for three: the first one waits for the disk nevertheless.
        #expect(answers.keepCount == 1)
        let kept = ownership.keepHeld(includesNewest: false, areComplete: false)
        #expect(kept.map(\.arrival) == [1, 2, 3].map(Self.instant) && kept.allSatisfy { $0.stamp == Self.stamp })
        #expect(ownership.keepHeld(includesNewest: false, areComplete: false).isEmpty)
        #expect(ownership.keepHeld(includesNewest: true, areComplete: false).map(\.arrival) == [Self.instant(4)])
        answers.admissionOfHeld = .publish
        #expect(ownership.takeHeld().map(\.isKept) == [true, true, true, true])
    }

    @Test func `readings that are complete on the disk need no memory`() {
        let answers = Answers()
        let ownership = Self.ownership(answers)
        answers.admission = .hold(nil)
        for second in 1...3 { _ = Self.admits(ownership, Int64(second), areKept: true) }
        #expect(ownership.keepHeld(includesNewest: false, areComplete: true).map(\.stamp) == [nil, nil])
        answers.admissionOfHeld = .publish
        #expect(ownership.takeHeld().map(\.arrival) == [Self.instant(3)])
    }

    @Test func `without time for the disk, twice as many readings wait, then the oldest one is dropped`() {
        let answers = Answers()
        let ownership = Self.ownership(answers)
        answers.admission = .hold(Self.stamp)
        for second in 1...7 { _ = Self.admits(ownership, Int64(second), areKept: true) }
        #expect(ownership.takeHeld().map(\.arrival) == (2...7).map(Self.instant))
    }

    @Test func `an average that ends in doubt is kept with the present stamp, and one of another owner is not`() {
        let answers = Answers()
        let ownership = Self.ownership(answers)
        let message = Message("bluefleet/sensor/temperature", [0x31])
        answers.admission = .hold(Self.stamp)
        ownership.keep(message, Self.instant(1))
        answers.admission = .drop
        ownership.keep(message, Self.instant(2))
        #expect(ownership.takeKeptMessages().map(\.stamp) == [Self.stamp])
        #expect(ownership.takeKeptMessages().isEmpty)
    }

    @Test func `a state that was withheld is published again once`() {
        let answers = Answers()
        let ownership = Self.ownership(answers)
        #expect(ownership.admitsState())
        #expect(!ownership.takeWithheldState())
        answers.admission = .drop
        #expect(!ownership.admitsState())
        #expect(ownership.takeWithheldState())
        #expect(!ownership.takeWithheldState())
    }

    // MARK: Messages of other gateways

    private static func read(_ text: String, _ kind: GatewayTopic, of gateway: String = "attic") -> String {
        let message = Message("bluefleet/bridge/attic/fleet/report", Array(text.utf8))
        var inbox = FleetInbox()
        return switch inbox.read(message, from: (gateway, kind)) {
        case .event(.report(_, let gateway)): "report of \(gateway)"
        case .event(.decision(let decision)): "decision of \(decision.key.gateway)"
        case .event(.will(let gateway, let start, let connection)): "will of \(gateway) \(start) \(connection)"
        case .event(.changes(let changes, let gateway)): "\(changes.changes.count) changes of \(gateway)"
        case .event: "another event"
        case .online(let isSharing): isSharing ? "online, shares" : "online, shares nothing"
        case .offline: "offline"
        case .devices(let devices): "\(devices.count) devices"
        case .nothing: "nothing"
        case .invalid: "invalid"
        }
    }

    private static func change(_ sign: String, _ content: String) -> String {
        #"{"changes":{"C0:00:00:00:00:01":{"revision":[\#(sign)12,"attic"],"content":\#(content)}}}"#
    }

    private static let devices = (0..<100_000).map { "\"device\($0)\":-60" }.joined(separator: ",")

    @Test(arguments: [
        (#"{"start":"51aa","n":4711,"connection":1,"free":5}"#, GatewayTopic.report, "report of attic"),
        (#"{"key":[7,100,"attic","51aa"],"m":88}"#, .decision, "decision of attic"),
        (#"{"state":"offline","start":"51aa","connection":3}"#, .state, "will of attic 51aa 3"),
        (#"{"state":"online","start":"51aa","connection":3}"#, .state, "online, shares"),
        (#"{"state":"online"}"#, .state, "online, shares nothing"), (#"{"state":"offline"}"#, .state, "offline"),
        (#"{"devices":[],"removed":[]}"#, .devices, "0 devices"), ("{}", .devices, "invalid"),
        ("", .state, "nothing"), (Self.change("", "{}"), .changes, "1 changes of attic"),
        (Self.change("", "[]"), .changes, "invalid"), (Self.change("-", "{}"), .changes, "invalid"),
        (#"{"known":{"C0:00:00:00:00:01":[281474976710657,"attic"]}}"#, .changes, "invalid"),
        (#"{"wanted":{"attic":[1]}}"#, .changes, "invalid"), ("[]", .changes, "invalid"),
        ("", .report, "nothing"), ("{", .report, "invalid"), ("[]", .decision, "invalid"),
        (String(repeating: "[", count: 100_000), .report, "invalid"),
        (String(repeating: " ", count: 1 << 20) + "{}", .report, "invalid"),
        (#"{"key":[7,100,"cellar","51aa"],"m":88}"#, .decision, "invalid"),
        (#"{"start":"51aa","n":1e308,"connection":1,"free":5}"#, .report, "invalid"),
        (#"{"start":"51aa","n":18446744073709551616,"connection":1,"free":5}"#, .report, "invalid"),
        (#"{"start":"51aa","n":1,"connection":1,"free":5,"hears":{\#(devices)}}"#, .report, "invalid"),
        ("null", .state, "nothing"), ("x", .state, "invalid"),
    ])
    func `FleetInbox ignores messages that are not valid`(text: String, kind: GatewayTopic, meaning: String) {
        #expect(Self.read(text, kind) == meaning)
    }

    @Test func `FleetInbox counts messages that are not valid`() {
        var inbox = FleetInbox()
        for text in ["{", #"{"start":"51aa","n":4711,"connection":1,"free":5}"#, "[]"] {
            _ = inbox.read(Message("bluefleet/bridge/attic/fleet/report", Array(text.utf8)), from: ("attic", .report))
        }
        #expect(inbox.invalidCount == 2)
    }
}

import EventLoop
import Foundation
import JSON
import Simulator
import TestSupport
import TestTraits
import Testing

@testable import MQTT

/// Random messages on the topics that the gateway subscribes to.
@Suite(.ownThreads) struct FuzzTests {
    /// The number of messages; the environment may set a larger one.
    private static let count =
        ProcessInfo.processInfo.environment["BLUEFLEET_FUZZ_MESSAGES"].flatMap { Int($0) } ?? 4_000
    /// The number of messages under way at a time.
    private static let batch = 100

    private static let codes: Set = [
        "bad_request", "unknown_verb", "unknown_device", "unknown_characteristic", "not_allowed", "not_supported",
        "invalid_value", "not_found", "timeout", "expired", "superseded", "busy", "att_error", "bluetooth_off",
        "failed",
    ]

    @Test(arguments: [1, 2] as [UInt64])
    func `every message gets exactly one response with a documented code`(seed: UInt64) throws {
        let house = Scenario.house(Scenario.relay)
        try withFixture(house) { fixture in
            var source = HostileSource(seed: seed &+ SeededGenerator.fuzzSeed)
            var wanted = 0
            while wanted < Self.count / 2 {
                let numbers = wanted..<(wanted + Self.batch)
                wanted = numbers.upperBound
                for number in numbers {
                    var message = source.next()
                    message.properties.responseTopic = "fuzz/response"
                    message.properties.correlationData = Array("\(number)".utf8)
                    fixture.publish(message)
                }
                var answered: Set<Int> = []
                while answered.count < numbers.count {
                    let response = try await fixture.recorder.message("fuzz/response")
                    let number = response.properties.correlationData.flatMap {
                        Int(String(decoding: $0, as: UTF8.self))
                    }
                    #expect(number.map { numbers.contains($0) && answered.insert($0).inserted } == true)
                    let code = response.json?["error"]?["code"]?.string
                    #expect(response.json?["status"] == "ok" || code.map(Self.codes.contains) == true)
                }
                fixture.recorder.forget("fuzz/response")
            }
            _ = try await fixture.request("relay/request/connect")
            #expect(try await fixture.request("relay/state/get")["status"] == "ok")
        }
    }
}

/// Makes random messages to the relay and its gateway: invalid ones, truncated ones, and nearly valid ones.
private struct HostileSource {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private static let topics = [
        "relay/output/set", "relay/state/set", "relay/state/get", "relay/secret/get", "relay/nonsense/get",
        "relay//set", "relay/request/read", "relay/request/write", "relay/request/subscribe",
        "relay/request/unsubscribe", "relay/request/connect", "relay/request/disconnect", "relay/request/rssi",
        "relay/request/discover", "relay/request/nonsense", "relay/request/", "relay/request/a/b/c/d/e/f",
        "bridge/attic/request/nonsense", "bridge/attic/request/", "bridge/attic/request/device/nonsense",
        "bridge/attic/request/a//b", "bridge/attic/request/\u{1F980}",
    ]

    private static let sensible = [
        #"{"characteristic":"output","value":{"channel":1,"level":50},"response":true,"transaction":7}"#,
        #"{"characteristic":"state","ttl":"5s"}"#, #"{"channel":1,"level":50}"#, #"{"hex":"0a01"}"#,
        #"{"base64":"CgE="}"#, #"{"pause":"1ms"}"#, "", "true", "12.5", "null",
    ]

    private static let names = ["characteristic", "value", "response", "ttl", "pause", "transaction", "hex", "channel"]

    mutating func next() -> MQTT.Message {
        let topic = Self.topics[pick(Self.topics.count)]
        guard let topic = try? Topic("bluefleet/\(topic)") else { preconditionFailure("\(topic) is no topic") }
        return MQTT.Message(topic, payload)
    }

    private var payload: [UInt8] {
        mutating get {
            let sensible = Array(Self.sensible[pick(Self.sensible.count)].utf8)
            switch pick(20) {
            case 0...3: return bytes(pick(64))
            case 4...6: return Array(sensible.prefix(pick(sensible.count + 1)))
            case 7...10: return mutated(sensible)
            case 11...15: return Array(json(depth: 4).utf8)
            case 16: return [UInt8](repeating: UInt8(ascii: pick(2) == 0 ? "[" : "9"), count: pick(20_000))
            case 17: return Array(#"{"transaction":"#.utf8) + bytes(pick(2_000)) + Array("}".utf8)
            case 18: return pick(20) == 0 ? bytes(1 << 20) : bytes(pick(20_000))
            default: return sensible
            }
        }
    }

    private mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    private mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...pick(3) where !bytes.isEmpty {
            let index = pick(bytes.count)
            switch pick(3) {
            case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
            case 1: bytes.remove(at: index)
            default: bytes.insert(contentsOf: bytes[..<index], at: index)
            }
        }
        return bytes
    }

    private mutating func json(depth: Int) -> String {
        switch pick(depth == 0 ? 6 : 8) {
        case 0: return ["null", "true", "false", "NaN", "-0", "1e400"][pick(6)]
        case 1: return "\(Int64(bitPattern: random.next()))"
        case 2: return "\(Double(bitPattern: random.next()))"
        case 3: return #""\#(["output", "state", "\\u0000", "\\ud800", "5s", "-1d", "99999999999d", "0a0"][pick(8)])""#
        case 4: return String(repeating: "9", count: pick(60)) + "." + String(repeating: "1", count: pick(60))
        case 5: return #"{"hex":"\#(String(repeating: "0a", count: pick(400)))"}"#
        case 6: return "[" + (0..<pick(4)).map { _ in json(depth: depth - 1) }.joined(separator: ",") + "]"
        default:
            let members = (0..<pick(5)).map { _ in "\"\(Self.names[pick(Self.names.count)])\":\(json(depth: depth - 1))"
            }
            return "{" + members.joined(separator: ",") + "}"
        }
    }

    private mutating func pick(_ count: Int) -> Int {
        Int(random.next() % UInt64(count))
    }
}

import Codec
import JSON
import Simulator
import TestTraits
import Testing

@testable import Contract

/// Values that are longer than one packet, for devices that refuse long writes.
@Suite(.ownThreads) struct SplitWriteTests {
    private static let output = Scenario.output

    /// Returns a relay without long writes whose MTU is 23, and whose output has these keys.
    private static func relay(_ keys: String) -> Scenario {
        Scenario.house(Scenario.relay).with {
            $0.fleet.replace(
                "address: C0:00:00:00:00:05",
                with: "address: C0:00:00:00:00:05\n    mtu: 23\n    faults: [long writes refused]")
            $0.configuration.replace("write: true", with: keys)
        }
    }

    private static func hex(_ count: Int) -> String {
        (0..<count).map { UInt8(truncatingIfNeeded: $0) }.hexadecimal
    }

    @Test func `a device that refuses long writes gets no value without split`() throws {
        try withFixture(Self.relay("write: true")) { fixture in
            let refusal = try await fixture.refusal("relay/output/set", #"{"hex":"\#(Self.hex(45))"}"#)
            #expect(refusal == "not_supported")
            let writes = try await fixture.events(of: "relay").filter { $0.hasPrefix("write") }
            #expect(writes.isEmpty)
        }
    }

    @Test(arguments: [("write: true", "write"), ("write: without response", "command")])
    func `split writes a value in pieces of one packet, in order`(keys: String, event: String) throws {
        try withFixture(Self.relay("\(keys)\n        split: true")) { fixture in
            let response = try await fixture.request("relay/output/set", #"{"hex":"\#(Self.hex(45))"}"#)
            #expect(response["status"] == "ok")
            #expect(response["data"]?["written"] == 45)
            #expect(response["data"]?["hex"]?.string == Self.hex(45))
            let digits = Self.hex(45)
            let pieces = [digits.prefix(40), digits.dropFirst(40).prefix(40), digits.suffix(10)]
            try await fixture.until("3 pieces") {
                try await fixture.events(of: "relay").filter { $0.hasPrefix(event) }
                    == pieces.map { "\(event) \(Self.output) \($0)" }
            }
        }
    }

    @Test func `split writes a value of one packet at once, and refuses more than 4096 bytes`() throws {
        try withFixture(Self.relay("write: true\n        split: true")) { fixture in
            let response = try await fixture.request("relay/output/set", #"{"hex":"\#(Self.hex(20))"}"#)
            #expect(response["data"]?["written"] == 20)
            #expect(try await fixture.refusal("relay/output/set", #"{"hex":"\#(Self.hex(4097))"}"#) == "invalid_value")
            let writes = try await fixture.events(of: "relay").filter { $0.hasPrefix("write") }
            #expect(writes == ["write \(Self.output) \(Self.hex(20))"])
        }
    }

    @Test func `the response says how many bytes were written before the first error`() throws {
        let scenario = Self.relay("write: true\n        split: true").with {
            $0.fleet.replace("write: 1ms", with: "write: 20ms")
        }
        try withFixture(scenario) { fixture in
            try fixture.ask("relay/output/set", #"{"hex":"\#(Self.hex(400))"}"#)
            // The third piece follows the reply to the second one.
            try await fixture.until("3 pieces") {
                try await fixture.events(of: "relay").count { $0.hasPrefix("write") } >= 3
            }
            try await fixture.direct { try $0.dropLink(of: "relay") }
            let response = try await fixture.response(to: "relay/output/set")
            let count = try await fixture.events(of: "relay").count { $0.hasPrefix("write") }
            #expect(3..<20 ~= count)
            #expect(response["status"] == "error")
            #expect(response["data"]?["length"] == 400)
            // The reply to the last piece may be lost.
            let written = try #require(response["data"]?["written"]?.int)
            #expect([20 * (count - 1), 20 * count].contains(written))
            let message = response["error"]?["message"]?.string ?? ""
            #expect(message.hasSuffix("\(written) of 400 bytes were written"))
        }
    }
}

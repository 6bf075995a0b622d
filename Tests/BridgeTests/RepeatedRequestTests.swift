import JSON
import MQTT
import Simulator
import System
import TestSupport
import TestTraits
import Testing

@testable import Bridge

/// Requests that the broker delivers again, with the flag DUP.
@Suite(.ownThreads) struct RepeatedRequestTests {
    /// Lets the gateway receive a request from its broker.
    private static func deliver(
        _ request: String, _ payload: String, again isDuplicate: Bool, _ correlationData: [UInt8]? = nil,
        in fixture: Fixture
    ) async throws {
        let gateway = try #require(fixture.gateway)
        let message = Message(
            try Topic("bluefleet/\(request)"), Array(payload.utf8),
            properties: .init(correlationData: correlationData), isDuplicate: isDuplicate)
        await gateway.handle(.received(message), from: try #require(await gateway.publisher).number)
    }

    /// Returns how often the relay was written and read after all earlier requests were answered.
    private static func operations(_ fixture: Fixture) async throws -> Int {
        try await fixture.request("relay/request/rssi")
        return try await fixture.events(of: "relay").count { $0.hasPrefix("write") || $0.hasPrefix("read") }
    }

    @Test(arguments: [
        ("relay/output/set", #"{"channel": 1, "level": 5, "transaction": 7}"#, "relay/response/set"),
        ("relay/state/get", #"{"transaction": 7}"#, "relay/response/get"),
        (
            "relay/request/write", #"{"characteristic": "output", "value": {"hex": "0001"}, "transaction": 7}"#,
            "relay/response/write"
        ),
    ])
    func `a request that is delivered again is carried out once, and gets the first response again`(
        request: String, payload: String, response: String
    ) throws {
        try withFixture(.house(Scenario.relay)) { fixture in
            let before = try await Self.operations(fixture)
            try await Self.deliver(request, payload, again: false, in: fixture)
            let first = try await fixture.recorder.next("bluefleet/\(response)")
            #expect(first["status"] == "ok")
            #expect(first["transaction"] == 7)
            try await Self.deliver(request, payload, again: true, in: fixture)
            #expect(try await fixture.recorder.next("bluefleet/\(response)") == first)
            #expect(try await Self.operations(fixture) == before + 1)

            try await Self.deliver(request, payload, again: false, in: fixture)
            try await fixture.recorder.next("bluefleet/\(response)")
            #expect(try await Self.operations(fixture) == before + 2, "an equal request without DUP is a new one")
        }
    }

    @Test func `a request that is delivered again while it is being carried out gets one response`() throws {
        let scenario = Scenario.house(Scenario.relay).with {
            $0.fleet.replace(
                "C0:00:00:00:00:05\n    advertise: {every: 5ms}", with: "C0:00:00:00:00:05\n    advertise: {on: false}")
        }
        try withFixture(scenario) { fixture in
            let payload = #"{"channel": 1, "level": 5, "transaction": 7}"#
            for isDuplicate in [false, true, true] {
                try await Self.deliver("relay/output/set", payload, again: isDuplicate, in: fixture)
            }
            try await fixture.direct { try $0.switchAdvertising(of: "relay", on: true) }
            #expect(try await fixture.recorder.next("bluefleet/relay/response/set")["status"] == "ok")
            _ = try await Self.operations(fixture)
            #expect(fixture.recorder.all("bluefleet/relay/response/set").count == 1)
            #expect(try await fixture.events(of: "relay").count { $0.hasPrefix("write") } == 1)
        }
    }

    @Test func `a request with other correlation data is another request`() throws {
        try withFixture(.house(Scenario.relay)) { fixture in
            for (count, data) in ([[1], [2], nil] as [[UInt8]?]).enumerated() {
                try await Self.deliver(
                    "bridge/attic/request/device/add", #"{"device": "x"}"#, again: count > 0, data, in: fixture)
                let response = try await fixture.recorder.message("bluefleet/bridge/attic/response/device/add")
                #expect(response.properties.correlationData == data)
            }
        }
    }

    // MARK: RequestMemory

    private static let start = Instant(nanoseconds: 0)

    private static func message(_ number: Int, size: Int = 0) -> Message {
        Message("d/request/x", Array("\(number)".utf8) + [UInt8](repeating: 0x20, count: size))
    }

    @Test func `RequestMemory keeps a response for the time to live of its request`() {
        let memory = RequestMemory()
        let request = memory.add(Self.message(1), of: "a", at: Self.start)
        request.keep(for: .seconds(5))
        #expect(memory.first(Self.message(1), of: "a", at: Self.start + .seconds(60)) === request, "not answered")
        request.answer([1])
        #expect(memory.first(Self.message(1), of: "a", at: Self.start + .seconds(5))?.response == [1])
        #expect(memory.first(Self.message(1), of: "b", at: Self.start) == nil)
        #expect(memory.first(Self.message(2), of: "a", at: Self.start) == nil)
        #expect(memory.first(Self.message(1), of: "a", at: Self.start + .seconds(6)) == nil)
    }

    @Test func `RequestMemory is bounded, and forgets the oldest answered requests first`() {
        let memory = RequestMemory()
        let size = RequestMemory.limit / 8
        let open = memory.add(Self.message(0), of: "a", at: Self.start)
        for number in 1...20 {
            memory.add(Self.message(number, size: size), of: "a", at: Self.start).answer([UInt8(number)])
        }
        let kept = (1...20).filter { memory.first(Self.message($0, size: size), of: "a", at: Self.start) != nil }
        #expect(kept == Array(14...20))
        #expect(memory.first(Self.message(0), of: "a", at: Self.start) === open)
        open.answer([UInt8](repeating: 0, count: RequestMemory.longestResponse + 1))
        #expect(memory.first(Self.message(0), of: "a", at: Self.start) == nil, "the response is too long")
        #expect(memory.first(Self.message(14, size: size), of: "a", at: Self.start) != nil)
    }
}

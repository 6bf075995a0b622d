import Contract
import JSON
import Simulator
import TestTraits
import Testing

@testable import Bridge

/// Devices that drop connections, refuse operations or have the same characteristic twice.
@Suite(.ownThreads) struct MisbehavingDeviceTests {
    @Test(arguments: [
        (Fault.linkLostWhileResolving, ""), (.linkLostWhilePairing, "\npair: true"), (.linkLostWhileSubscribing, ""),
    ])
    func `a connection that is lost before it is of use counts as an attempt`(fault: Fault, keys: String) throws {
        try withFixture(.climate("connect: always\(keys)").with { $0.hasGateway = false }) { fixture in
            try await fixture.plan(fault, times: 3, for: "climate")
            try await fixture.startGateway()
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "connect_failed"
            }
            #expect(event["device"] == "climate" && event["reason"] == "the link was lost")
            _ = try await fixture.recorder.next("bluefleet/climate/connection") { $0["attempts"] == 2 }
            let availability = try await fixture.recorder.next("bluefleet/climate/availability") {
                $0["reason"]?.string?.hasPrefix("the link was lost") == true
            }
            #expect(availability["state"] == "offline")
            try await fixture.availability(of: "climate", "online")
            let states = fixture.recorder.all("bluefleet/climate/availability").compactMap(\.json)
            #expect(states.count { $0["state"] == "online" } == 1)
        }
    }

    private static let refusing = Scenario.climate("connect: always").with {
        $0.fleet.replace(
            "{uuid: humidity, flags: [read, notify], value: 40.25}",
            with: "{uuid: humidity, flags: [read, notify], value: 40.25, subscribe_error: 0x03}")
        $0.fleet.replace("value: 21.53}", with: "value: 21.53, notify: 100ms}")
    }

    @Test func `a refused subscription is reported, and the connection with the other ones stays`() throws {
        try withFixture(Self.refusing) { fixture in
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "subscribe_failed"
            }
            #expect(event["characteristic"] == "humidity")
            let availability = try await fixture.recorder.next("bluefleet/climate/availability") {
                $0["reason"]?.string?.hasPrefix("cannot subscribe to humidity") == true
            }
            #expect(availability["state"] == "online")
            _ = try await fixture.recorder.next("bluefleet/climate/temperature")
            let connections = try await fixture.events(of: "climate").filter { $0 == "connected" }
            #expect(connections.count == 1)
        }
    }

    @Test func `a characteristic without service that exists in two services is reported, and not written`() throws {
        let scenario = Scenario.house(
            """
            relay:
              address: C0:00:00:00:00:05
              connect: always
              characteristics:
                output: {uuid: \(Scenario.output), write: true, format: [{name: level, type: uint16}]}
                secret: {uuid: \(Scenario.secret), write: true, format: [{name: level, type: uint8}]}
            """
        ).with {
            $0.fleet.replace(
                "    services:\n      - uuid: \(Scenario.service)\n",
                with: """
                        services:
                          - uuid: FFF0
                            characteristics: [{uuid: \(Scenario.output), flags: [read, write], hex: "0100"}]
                          - uuid: \(Scenario.service)

                    """)
        }
        try withFixture(scenario) { fixture in
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "characteristic_ambiguous"
            }
            #expect(event["characteristic"] == "output")
            #expect(event["services"]?.array?.first == "FFF0")
            #expect(event["services"]?.array?.count == 2)
            let response = try await fixture.request(
                "relay/request/write", #"{"characteristic": "output", "value": 7}"#)
            #expect(response["error"]?["code"] == "not_allowed")
            let message = response["error"]?["message"]?.string ?? ""
            #expect(message.contains("FFF0") && message.contains("service: "))
            let other = try await fixture.request(
                "relay/request/write", #"{"characteristic": "secret", "value": 7}"#)
            #expect(other["status"] == "ok")
        }
    }

    /// Returns a relay that has its output twice in one service.
    ///
    /// - Parameter entries: The entries for the two.
    /// - Returns: The scenario.
    private static func twofold(_ entries: String) -> Scenario {
        .house(
            """
            relay:
              address: C0:00:00:00:00:05
              connect: always
              characteristics:
            \(entries)
            """
        ).with {
            let flags = "[read, write, write-without-response]"
            let output = "          - {uuid: \(Scenario.output), flags: \(flags), hex: \"0000\"}\n"
            $0.fleet.replace(output, with: output + output)
        }
    }

    private static func entry(_ name: String, _ keys: String = "") -> String {
        "    \(name): {service: \(Scenario.service), uuid: \(Scenario.output), write: true, format: "
            + "[{name: level, type: uint16}]\(keys)}"
    }

    @Test func `a characteristic that exists twice in its service is not written until instance is given`() throws {
        try withFixture(Self.twofold(Self.entry("output"))) { fixture in
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "characteristic_ambiguous"
            }
            #expect(event["services"]?.array == [.string(Scenario.service), .string(Scenario.service)])
            let response = try await fixture.request(
                "relay/request/write", #"{"characteristic": "output", "value": 7}"#)
            #expect(response["error"]?["code"] == "not_allowed")
            #expect(response["error"]?["message"]?.string?.contains(#"Add "instance: 1""#) == true)
            #expect(try await fixture.refusal("relay/request/read", #"{"characteristic": "output"}"#) == nil)
        }
    }

    @Test(arguments: [entry("output", ", instance: 1"), entry("output") + "\n" + entry("other", ", instance: 2")])
    func `a characteristic whose instance is clear is written`(entries: String) throws {
        try withFixture(Self.twofold(entries)) { fixture in
            let response = try await fixture.request(
                "relay/request/write", #"{"characteristic": "output", "value": 7}"#)
            #expect(response["status"] == "ok")
        }
    }
}

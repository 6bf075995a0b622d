import JSON
import MQTT
import Simulator
import TestTraits
import Testing

/// Requests that change some fields of a value: the other fields keep their values.
@Suite(.ownThreads) struct PartialSetTests {
    private static func relay(flags: String, _ keys: String = "") -> Scenario {
        Scenario.house(
            Scenario.relay.replacingAll("uuid: \(Scenario.output)\n", with: "uuid: \(Scenario.output)\n\(keys)")
        ).with {
            $0.fleet.replace(
                "flags: [read, write, write-without-response], hex: \"0000\"", with: "flags: [\(flags)], hex: \"0306\"")
        }
    }

    @Test func `a readable value is read first, and later changes build on it`() throws {
        try withFixture(Self.relay(flags: "read, write", "      read: 1h\n")) { fixture in
            let first = try await fixture.request("relay/output/set", #"{"level": 20}"#)
            #expect(first["data"]?["value"] == ["channel": 3, "level": 20])
            let second = try await fixture.request("relay/output/set", #"{"channel": 9}"#)
            #expect(second["data"]?["value"] == ["channel": 9, "level": 20])
            let events = try await fixture.events(of: "relay").filter { $0.hasPrefix("write") }
            #expect(events == ["0328", "0928"].map { "write \(Scenario.output) \($0)" })
        }
    }

    @Test func `a value that the configuration does not read has to be written whole first`() throws {
        try withFixture(Self.relay(flags: "read, write", "")) { fixture in
            let refusal = try await fixture.refusal("relay/output/set", #"{"level": 20}"#)
            #expect(refusal == "invalid_value")
            let events = try await fixture.events(of: "relay")
            #expect(events.isEmpty)
        }
    }

    @Test func `without a known value, the error shows the whole form`() throws {
        try withFixture(Self.relay(flags: "write")) { fixture in
            for _ in 1...2 {
                let response = try await fixture.request("relay/output/set", #"{"level": 20}"#)
                #expect(response["error"]?["code"] == "invalid_value")
                let message = response["error"]?["message"]?.string ?? ""
                #expect(
                    message.hasSuffix(
                        "no value is known that could supply the other fields: write all fields, such as "
                            + #"{"channel":1,"level":1}"#), "\(message)")
            }
            // The device has accepted a whole value, which is the last known one.
            _ = try await fixture.request("relay/output/set", #"{"channel": 2, "level": 50}"#)
            let response = try await fixture.request("relay/output/set", #"{"level": 20}"#)
            #expect(response["data"]?["value"] == ["channel": 2, "level": 20])
        }
    }

    @Test func `a notified value supplies the other fields`() throws {
        let scenario = Self.relay(flags: "notify, write", "      subscribe: true\n").with {
            $0.configuration.replace("connect: on demand\n    hold: 1h", with: "connect: always")
        }
        try withFixture(scenario) { fixture in
            try await fixture.event("subscribed \(Scenario.output)", of: "relay")
            try await fixture.notify("0510", from: Scenario.output, of: "relay")
            _ = try await fixture.recorder.next("bluefleet/relay/output")
            let response = try await fixture.request("relay/output/set", #"{"level": 1}"#)
            #expect(response["data"]?["value"] == ["channel": 5, "level": 1])
        }
    }

    @Test func `the values of the characteristic in state supply the other fields`() throws {
        let scenario = Self.relay(flags: "write", "      state: state\n").with {
            let fields = #"[{name: channel, type: uint8}, {name: level, type: uint8, scale: 0.5, unit: "%"}]"#
            $0.configuration.replace(
                "uuid: \(Scenario.state), format: [{name: on, type: boolean}]",
                with: "uuid: \(Scenario.state), read: on connect, format: \(fields)")
            $0.fleet.replace("flags: [read, notify], hex: \"00\"", with: "flags: [read, notify], hex: \"0706\"")
            $0.configuration.replace("connect: on demand\n    hold: 1h", with: "connect: always")
        }
        try withFixture(scenario) { fixture in
            _ = try await fixture.recorder.next("bluefleet/relay/state")
            let response = try await fixture.request("relay/output/set", #"{"level": 20}"#)
            #expect(response["data"]?["value"] == ["channel": 7, "level": 20])
        }
    }

    @Test func `changes of different fields do not supersede each other`() throws {
        let scenario = Self.relay(flags: "read, write", "      read: 1h\n").with {
            $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}")
        }
        try withFixture(scenario) { fixture in
            for value in [#"{"level": 1}"#, #"{"level": 2}"#, #"{"channel": 7}"#] {
                try fixture.ask("relay/output/set", value)
            }
            #expect(try await fixture.response(to: "relay/output/set")["error"]?["code"] == "superseded")
            try await fixture.direct { try $0.switchAdvertising(of: "relay", on: true) }
            for _ in 1...2 { #expect(try await fixture.response(to: "relay/output/set")["status"] == "ok") }
            let events = try await fixture.events(of: "relay").filter { $0.hasPrefix("write") }
            #expect(events == ["0304", "0704"].map { "write \(Scenario.output) \($0)" })
        }
    }

    @Test(arguments: [
        (#"{"level": 51}"#, "relay/output: level: expected a number from 10 to 50, found 51"),
        (#"{"level": 9.5}"#, "relay/output: level: expected a number from 10 to 50, found 9.5"),
        (#"{"channel": 1, "level": 51}"#, "relay/output: level: expected a number from 10 to 50, found 51"),
        (#"{"levle": 20}"#, "relay/output: unknown field levle: the fields are channel, level"),
    ])
    func `a value outside min and max is refused with field, value and range`(payload: String, message: String) throws {
        let scenario = Self.relay(flags: "read, write", "      read: 1h\n").with {
            $0.configuration.replace("scale: 0.5,", with: "scale: 0.5, min: 10, max: 50,")
        }
        try withFixture(scenario) { fixture in
            let response = try await fixture.request("relay/output/set", payload)
            #expect(response["error"]?["code"] == "invalid_value")
            #expect(response["error"]?["message"]?.string == message)
            #expect(try await fixture.events(of: "relay").allSatisfy { !$0.hasPrefix("write") })
        }
    }
}

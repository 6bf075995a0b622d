import EventLoop
import JSON
import Simulator
import TestTraits
import Testing

/// Formats from the device's own descriptors 2904, 2901 and 2906.
@Suite(.ownThreads) struct DescribedValueTests {
    private let house = Scenario.house(
        """
        relay:
          address: C0:00:00:00:00:05
          characteristics:
            level: {service: \(Scenario.service), uuid: \(Scenario.secret), read: on connect, write: true}
            plain: {service: \(Scenario.service), uuid: \(Scenario.output), read: on connect}
        """
    ).with {
        $0.fleet.replace(
            #"hex: "2a", descriptors: [{uuid: 2901, text: "Secret"}]"#,
            with: """
                hex: "8813", descriptors: [{uuid: 2901, text: "Fill level"}, {uuid: 2904, hex: "06fead27010000"}, \
                {uuid: 2906, hex: "00001027"}]
                """)
        $0.homeAssistant = "discovery: device"
    }

    @Test func `descriptors define the number, unit and name of a reading`() throws {
        try withFixture(house) { fixture in
            #expect(try await fixture.reading("relay/level") == #"{"value":50,"unit":"%"}"#)
            #expect(try await fixture.reading("relay/plain") == #"{"value":"0000"}"#)
            try await fixture.until("the described format is in info") {
                let info = try await fixture.retained()["bluefleet/relay/info"] ?? ""
                return info.contains(#""fields":[{"name":"fill_level","unit":"%"}]"#)
            }
            try await fixture.until("Home Assistant has the entity") {
                let config = try await fixture.retained()["homeassistant/device/bluefleet_c00000000005/config"] ?? ""
                return [#""unit_of_measurement":"%""#, #""min":0"#, #""max":100"#, #""step":0.01"#].allSatisfy {
                    config.contains($0)
                }
            }
        }
    }

    @Test func `a described format replaces the earlier Home Assistant entity`() throws {
        try withFixture(house.with { $0.homeAssistant = "discovery: component" }) { fixture in
            _ = try await fixture.reading("relay/level")
            try await fixture.until("the number takes the text's place") {
                let topics = try await fixture.retained().keys.filter {
                    $0.hasPrefix("homeassistant/") && $0.contains(Scenario.secret)
                }
                return topics.contains { $0.contains("/number/") } && !topics.contains { $0.contains("/text/") }
            }
        }
    }

    @Test func `a value with several presentation formats stays bytes`() throws {
        let scenario = house.with {
            $0.fleet.replace(
                #"{uuid: 2904, hex: "06fead27010000"}"#,
                with: #"{uuid: 2904, hex: "0400ad27010000"}, {uuid: 2904, hex: "0400ad27010000"}"#)
        }
        try withFixture(scenario) { fixture in
            let reading = try await fixture.reading("relay/level")
            #expect(reading == #"{"value":"8813"}"#)
        }
    }

    @Test func `the described range limits writes`() throws {
        try withFixture(house) { fixture in
            _ = try await fixture.reading("relay/level")
            let response = try await fixture.request("relay/level/set", "99.5")
            #expect(response["data"]?["hex"]?.string == "de26")
            #expect(try await fixture.refusal("relay/level/set", "100.5") == "invalid_value")
        }
    }
}

import EventLoop
import JSON
import Simulator
import Testing

/// A device says itself what its bytes mean, where nobody else does (descriptors 2904, 2901 and 2906).
@Suite struct DescribedValueTests {
    private let house = Script.house(
        """
        relay:
          address: C0:00:00:00:00:05
          characteristics:
            level: {service: \(Script.service), uuid: \(Script.secret), read: on connect, write: true}
            plain: {service: \(Script.service), uuid: \(Script.output), read: on connect}
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

    @Test func `its readings have its numbers, units and names`() throws {
        try onStage(house) { _, stage in
            #expect(try await stage.reading("relay/level") == #"{"value":50,"unit":"%"}"#)
            #expect(try await stage.reading("relay/plain") == #"{"value":"0000"}"#)
            try await stage.until("what the device offers is told") {
                let info = try await stage.retained()["bluefleet/relay/info"] ?? ""
                return info.contains(#""fields":[{"name":"fill_level","unit":"%"}]"#)
            }
            try await stage.until("Home Assistant is told") {
                let config = try await stage.retained()["homeassistant/device/bluefleet_c00000000005/config"] ?? ""
                return [#""unit_of_measurement":"%""#, #""min":0"#, #""max":100"#, #""step":0.01"#].allSatisfy {
                    config.contains($0)
                }
            }
        }
    }

    @Test func `what Home Assistant was told before the device said what it is goes away`() throws {
        try onStage(house.with { $0.homeAssistant = "discovery: component" }) { _, stage in
            _ = try await stage.reading("relay/level")
            try await stage.until("the number takes the text's place") {
                let topics = try await stage.retained().keys.filter {
                    $0.hasPrefix("homeassistant/") && $0.contains(Script.secret)
                }
                return topics.contains { $0.contains("/number/") } && !topics.contains { $0.contains("/text/") }
            }
        }
    }

    @Test func `several numbers in one value stay bytes`() throws {
        let script = house.with {
            $0.fleet.replace(
                #"{uuid: 2904, hex: "06fead27010000"}"#,
                with: #"{uuid: 2904, hex: "0400ad27010000"}, {uuid: 2904, hex: "0400ad27010000"}"#)
        }
        try onStage(script) { _, stage in
            let reading = try await stage.reading("relay/level")
            #expect(reading == #"{"value":"8813"}"#)
        }
    }

    @Test func `its range limits what is written`() throws {
        try onStage(house) { _, stage in
            _ = try await stage.reading("relay/level")
            let response = try await stage.request("relay/level/set", "99.5")
            #expect(response["data"]?["hex"]?.string == "de26")
            #expect(try await stage.refusal("relay/level/set", "100.5") == "invalid_value")
        }
    }
}

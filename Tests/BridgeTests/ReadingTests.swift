import EventLoop
import JSON
import System
import TestTraits
import Testing

@testable import MQTT

/// The payloads of readings.
@Suite(.ownThreads) struct ReadingTests {
    /// A peripheral with one characteristic, whose bytes are read on connect.
    private func specimen(_ hex: String, uuid: String = Scenario.output, _ keys: String) -> Scenario {
        Scenario(
            fleet: """
                peripherals:
                  specimen:
                    address: C0:00:00:00:00:07
                    advertise: {every: 5ms}
                    pace: \(Scenario.hurry)
                    services:
                      - uuid: \(Scenario.service)
                        characteristics: [{uuid: \(uuid), flags: [read, notify], hex: "\(hex)"}]
                """,
            """
            devices:
              specimen:
                address: C0:00:00:00:00:07
                characteristics:
                  value: {service: \(Scenario.service), uuid: \(uuid), read: on connect, \(keys)}
            """)
    }

    @Test func `characteristics with the same UUID are distinguished by their order`() throws {
        let scenario = Scenario(
            fleet: """
                peripherals:
                  twins:
                    address: C0:00:00:00:00:07
                    advertise: {every: 5ms}
                    pace: \(Scenario.hurry)
                    services:
                      - uuid: 180F
                        characteristics: [{uuid: battery_level, flags: [read, notify], value: 1}]
                      - uuid: 180F
                        characteristics:
                          - {uuid: battery_level, flags: [read, notify], value: 2}
                          - {uuid: battery_level, flags: [read, notify], value: 3}
                """,
            """
            devices:
              twins:
                address: C0:00:00:00:00:07
                characteristics:
                  first: {service: 180F, uuid: 2A19, read: on connect}
                  second: {service: 180F, uuid: 2A19, instance: 2, read: on connect}
                  third: {uuid: 2A19, instance: 3, read: on connect, subscribe: true}
                  fourth: {uuid: 2A19, instance: 4, read: on connect}
            """)
        try withFixture(scenario) { fixture in
            let missing = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "characteristic_missing"
            }
            #expect(missing["characteristic"] == "fourth")
            for (name, value) in [("first", 1), ("second", 2), ("third", 3)] {
                let reading = try await fixture.recorder.next("bluefleet/twins/\(name)")
                #expect(reading["value"]?.double == Double(value))
            }
        }
    }

    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let hex: String
        var uuid = Scenario.output
        let keys: String
        let payload: String
    }

    @Test(arguments: [
        Example(
            testDescription: "a field, its scale and its unit", hex: "e803",
            keys: #"format: [{name: level, type: uint16, scale: 0.1, unit: "%"}]"#,
            payload: #"{"value":100,"unit":"%"}"#),
        Example(
            testDescription: "big endian", hex: "03e9",
            keys: "format: [{name: level, type: uint16, endian: big, scale: 0.1}]", payload: #"{"value":100.1}"#),
        Example(
            testDescription: "an offset", hex: "64", keys: "format: [{name: t, type: uint8, offset: -40, unit: °C}]",
            payload: #"{"value":60,"unit":"°C"}"#),
        Example(
            testDescription: "several fields, each under its name", hex: "01e803ff",
            keys: """
                format: [{name: on, type: boolean}, {name: level, type: uint16, scale: 0.01}, \
                {name: offset, type: sint8, unit: K}]
                """,
            payload: #"{"on":true,"level":10,"offset":-1}"#),
        Example(
            testDescription: "an unknown value is null", hex: "ff",
            keys: "format: [{name: level, type: uint8, unknown: 255}]", payload: #"{"value":null}"#),
        Example(
            testDescription: "a text", hex: "48c3a9", keys: "format: [{name: label, type: utf8}]",
            payload: #"{"value":"Hé"}"#),
        Example(
            testDescription: "bytes without a format", hex: "0aff", keys: "",
            payload: #"{"value":"0aff"}"#),
        Example(
            testDescription: "a configured unit", hex: "6908", uuid: "2A6E", keys: "unit: K",
            payload: #"{"value":21.53,"unit":"K"}"#),
        Example(
            testDescription: "one characteristic of several fields", hex: "16480304",
            uuid: "2A37", keys: "",
            payload: #"{"sensor_contact":true,"heart_rate":72,"rr_intervals":[1.0029296875]}"#),
    ])
    func `the payload of a reading`(_ example: Example) throws {
        try withFixture(specimen(example.hex, uuid: example.uuid, example.keys)) { fixture in
            let payload = try await fixture.reading("specimen/value")
            #expect(payload == example.payload)
        }
    }

    @Test func `a reading carries the time of its arrival in UTC`() throws {
        try withFixture(specimen("01", "")) { fixture in
            let start = fixture.loop.timestamp
            let time = try #require(try await fixture.recorder.next("bluefleet/specimen/value")["time"]?.string)
            #expect(time.utf8.count == 24 && time.hasSuffix("Z"))
            #expect(time <= fixture.loop.timestamp.description)
            // The value may have arrived before the test ran.
            #expect(time > Timestamp(milliseconds: start.milliseconds - 60_000).description)
        }
    }

    @Test func `payload, value: the payload is the bare value`() throws {
        let keys = #"format: [{name: level, type: uint16, scale: 0.1, unit: "%"}], publish: {payload: value}"#
        try withFixture(specimen("d204", keys)) { fixture in
            let message = try await fixture.recorder.message("bluefleet/specimen/value")
            #expect(message.text == "123.4")
        }
    }

    @Test func `retain, false: readings are not retained`() throws {
        try withFixture(specimen("01", "")) { fixture in
            _ = try await fixture.reading("specimen/value")
            #expect(try await fixture.retained()["bluefleet/specimen/value"] != nil)
        }
        try withFixture(specimen("01", "retain: false")) { fixture in
            _ = try await fixture.reading("specimen/value")
            #expect(try await fixture.retained()["bluefleet/specimen/value"] == nil)
        }
    }

    @Test func `a JSON payload has the content type of JSON`() throws {
        try withFixture(specimen("01", "")) { fixture in
            let message = try await fixture.recorder.message("bluefleet/specimen/value")
            #expect(message.properties.contentType == "application/json")
        }
    }

    @Test func `a reading in several notifications is published as one`() throws {
        try withFixture(specimen("0000e803", uuid: "2AD2", "subscribe: true")) { fixture in
            try await fixture.event("subscribed 2AD2", of: "specimen")
            #expect(try await fixture.reading("specimen/value") == #"{"instantaneous_speed":10}"#)
            try await fixture.notify("11002a0000", from: "2AD2", of: "specimen")
            try await fixture.notify("0000d007", from: "2AD2", of: "specimen")
            #expect(
                try await fixture.reading("specimen/value") == #"{"total_distance":42,"instantaneous_speed":20}"#)
        }
    }

    @Test(arguments: [("", "too few"), ("0102030405", "too many")])
    func `bytes that do not fit the format cause an event with the reason`(hex: String, amount: String) throws {
        let format = "subscribe: true, format: [{name: level, type: uint16}]"
        try withFixture(specimen("0100", format)) { fixture in
            try await fixture.event("subscribed \(Scenario.output)", of: "specimen")
            #expect(try await fixture.reading("specimen/value") == #"{"value":1}"#)
            try await fixture.notify(hex, from: Scenario.output, of: "specimen")
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "decode_failed"
            }
            #expect(event["device"] == "specimen")
            #expect(event["characteristic"] == "value")
            #expect(event["hex"]?.string == hex)
            #expect(event["reason"]?.string?.isEmpty == false)
            #expect(event["time"]?.string?.hasSuffix("Z") == true)
            try await fixture.notify("0200", from: Scenario.output, of: "specimen")
            #expect(try await fixture.reading("specimen/value") == #"{"value":2}"#)
        }
    }
}

import EventLoop
import JSON
import Testing

@testable import MQTT

/// What a reading looks like on the wire (contract, part 5).
@Suite struct ReadingTests {
    /// A peripheral with one characteristic that holds some bytes, read when the link is up.
    private func specimen(_ hex: String, uuid: String = Script.output, _ keys: String) -> Script {
        Script(
            fleet: """
                peripherals:
                  specimen:
                    address: C0:00:00:00:00:07
                    advertise: {every: 5ms}
                    pace: \(Script.hurry)
                    services:
                      - uuid: \(Script.service)
                        characteristics: [{uuid: \(uuid), flags: [read, notify], hex: "\(hex)"}]
                """,
            """
            devices:
              specimen:
                address: C0:00:00:00:00:07
                characteristics:
                  value: {service: \(Script.service), uuid: \(uuid), read: on connect, \(keys)}
            """)
    }

    @Test func `several with the same UUIDs are told apart by their order`() throws {
        let script = Script(
            fleet: """
                peripherals:
                  twins:
                    address: C0:00:00:00:00:07
                    advertise: {every: 5ms}
                    pace: \(Script.hurry)
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
        try onStage(script) { _, stage in
            let missing = try await stage.record.next("bluefleet/bridge/attic/event") {
                $0["type"] == "characteristic_missing"
            }
            #expect(missing["characteristic"] == "fourth")
            for (name, value) in [("first", 1), ("second", 2), ("third", 3)] {
                let reading = try await stage.record.next("bluefleet/twins/\(name)")
                #expect(reading["value"]?.double == Double(value))
            }
        }
    }

    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let hex: String
        var uuid = Script.output
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
            testDescription: "what is not known is null", hex: "ff",
            keys: "format: [{name: level, type: uint8, unknown: 255}]", payload: #"{"value":null}"#),
        Example(
            testDescription: "a text", hex: "48c3a9", keys: "format: [{name: label, type: utf8}]",
            payload: #"{"value":"Hé"}"#),
        Example(
            testDescription: "bytes of which nobody said what they mean", hex: "0aff", keys: "",
            payload: #"{"value":"0aff"}"#),
        Example(
            testDescription: "a unit of one's own", hex: "6908", uuid: "2A6E", keys: "unit: K",
            payload: #"{"value":21.53,"unit":"K"}"#),
        Example(
            testDescription: "one characteristic of several fields", hex: "16480304",
            uuid: "2A37", keys: "",
            payload: #"{"sensor_contact":true,"heart_rate":72,"rr_intervals":[1.0029296875]}"#),
    ])
    func `the payload of a reading`(_ example: Example) throws {
        try onStage(specimen(example.hex, uuid: example.uuid, example.keys)) { _, stage in
            let payload = try await stage.reading("specimen/value")
            #expect(payload == example.payload)
        }
    }

    @Test func `its time is when the gateway received it, in UTC`() throws {
        try onStage(specimen("01", "")) { home, stage in
            let start = home.loop.timestamp
            let time = try #require(try await stage.record.next("bluefleet/specimen/value")["time"]?.string)
            #expect(time.utf8.count == 24 && time.hasSuffix("Z"))
            #expect(time <= home.loop.timestamp.description)
            // The link may have come up before the test had its turn.
            #expect(time > Timestamp(milliseconds: start.milliseconds - 60_000).description)
        }
    }

    @Test func `a bare value, if the configuration says so`() throws {
        let keys = #"format: [{name: level, type: uint16, scale: 0.1, unit: "%"}], publish: {payload: value}"#
        try onStage(specimen("d204", keys)) { _, stage in
            let message = try await stage.record.message("bluefleet/specimen/value")
            #expect(message.text == "123.4")
        }
    }

    @Test func `readings are retained unless the configuration says otherwise`() throws {
        try onStage(specimen("01", "")) { _, stage in
            _ = try await stage.reading("specimen/value")
            #expect(try await stage.retained()["bluefleet/specimen/value"] != nil)
        }
        try onStage(specimen("01", "retain: false")) { _, stage in
            _ = try await stage.reading("specimen/value")
            #expect(try await stage.retained()["bluefleet/specimen/value"] == nil)
        }
    }

    @Test func `a JSON payload says that it is JSON`() throws {
        try onStage(specimen("01", "")) { _, stage in
            let message = try await stage.record.message("bluefleet/specimen/value")
            #expect(message.properties.contentType == "application/json")
        }
    }

    @Test func `a reading that comes in several notifications is published whole`() throws {
        try onStage(specimen("0000e803", uuid: "2AD2", "subscribe: true")) { _, stage in
            try await stage.event("subscribed 2AD2", of: "specimen")
            #expect(try await stage.reading("specimen/value") == #"{"instantaneous_speed":10}"#)
            try await stage.notify("11002a0000", from: "2AD2", of: "specimen")
            try await stage.notify("0000d007", from: "2AD2", of: "specimen")
            #expect(
                try await stage.reading("specimen/value") == #"{"total_distance":42,"instantaneous_speed":20}"#)
        }
    }

    @Test(arguments: [("", "too few"), ("0102030405", "too many")])
    func `bytes that do not fit are no reading, but an event that says why`(hex: String, amount: String) throws {
        let format = "subscribe: true, format: [{name: level, type: uint16}]"
        try onStage(specimen("0100", format)) { _, stage in
            try await stage.event("subscribed \(Script.output)", of: "specimen")
            #expect(try await stage.reading("specimen/value") == #"{"value":1}"#)
            try await stage.notify(hex, from: Script.output, of: "specimen")
            let event = try await stage.record.next("bluefleet/bridge/attic/event") { $0["type"] == "decode_failed" }
            #expect(event["device"] == "specimen")
            #expect(event["characteristic"] == "value")
            #expect(event["hex"]?.string == hex)
            #expect(event["reason"]?.string?.isEmpty == false)
            #expect(event["time"]?.string?.hasSuffix("Z") == true)
            try await stage.notify("0200", from: Script.output, of: "specimen")
            #expect(try await stage.reading("specimen/value") == #"{"value":2}"#)
        }
    }
}

import TestTraits
import Testing

@Suite(.ownThreads) struct CodecCommandTests {
    static let decoded: [(words: [String], output: String)] = [
        (["temperature", "6908"], "21.53 °C"),
        (["temperature", "69 08", "--json"], #"{"value":21.53,"unit":"°C"}"#),
        (["--json", "--", "2a6e", "6908"], #"{"value":21.53,"unit":"°C"}"#),
        (["00002a6e-0000-1000-8000-00805f9b34fb", "69:08"], "21.53 °C"),
        (["environmental_sensing/2A6E", "6908"], "21.53 °C"),
        (["temperature", "69", "08"], "21.53 °C"),
        (["temperature", "0x69, 0x08"], "21.53 °C"),
        (["--format", "[{name: level, type: uint16, endian: big, scale: 0.1}]", "01", "f4"], "50"),
        (["temperature", "0080"], "not known"),
        (["temperature", "0080", "--json"], #"{"value":null,"unit":"°C"}"#),
        (["battery_level", "64", "--json"], #"{"value":100,"unit":"%"}"#),
        (["body_sensor_location", "01", "--json"], #"{"value":"chest","number":1}"#),
        (["device_name", "4b69746368656e"], "Kitchen"),
        (["290B", "01", "--json"], #"{"value":"or","number":1}"#),
        (["client_characteristic_configuration", "0100", "--json"], #"{"notifications":true,"indications":false}"#),
    ]

    @Test(arguments: decoded)
    func `decode prints the value of bytes`(words: [String], output: String) throws {
        let outcome = try Bluefleet.run(["decode"] + words)
        #expect(outcome.status == 0)
        #expect(outcome.output == output + "\n")
        #expect(outcome.error == "")
    }

    @Test func `several fields are several lines, or one JSON object`() throws {
        let words = ["decode", "heart_rate_measurement", "16480003"]
        let lines = ["sensor_contact  true", "heart_rate      72 bpm", "rr_intervals    0.75 s"]
        #expect(try Bluefleet.run(words).lines == lines)
        let object = #"{"sensor_contact":true,"heart_rate":72,"rr_intervals":[0.75]}"#
        #expect(try Bluefleet.run(words + ["--json"]).output == object + "\n")
    }

    static let encoded: [(words: [String], output: String)] = [
        (["temperature", "21.53"], "6908"),
        (["temperature", "-5"], "0cfe"),
        (["temperature", "null"], "0080"),
        (["2A6E", #"{"value":21.53}"#, "--json"], #"{"hex":"6908"}"#),
        (["body_sensor_location", #""chest""#], "01"),
        (["body_sensor_location", #"{"value":"chest","number":1}"#], "01"),
        (["temperature", #"{"value":21.53,"unit":"°C","time":"2026-11-21T05:09:00.123Z"}"#], "6908"),
        (["heart_rate_measurement", #"{"sensor_contact":true,"heart_rate":72,"rr_intervals":[0.75]}"#], "16480003"),
        (["--format", "[{name: level, type: uint16, endian: big, scale: 0.1}]", "50"], "01f4"),
        (["temperature", #"{"hex":"6908"}"#], "6908"),
        (["temperature", #"{"base64":"aQg="}"#, "--json"], #"{"hex":"6908"}"#),
        (["--format", "[{name: level, type: uint16}]", #"{"hex":"01 f4"}"#], "01f4"),
    ]

    @Test(arguments: encoded)
    func `encode prints the bytes of a value`(words: [String], output: String) throws {
        let outcome = try Bluefleet.run(["encode"] + words)
        #expect(outcome.status == 0)
        #expect(outcome.output == output + "\n")
        #expect(outcome.error == "")
    }

    static let refused: [(words: [String], error: String)] = [
        (
            ["decode", "temperature", "69"],
            """
            bluefleet decode: too short: 2 bytes expected up to the end of temperature, 1 found
              69
                ^

            """
        ),
        (
            ["decode", "temperature", "69 08 ff"],
            """
            bluefleet decode: too long: 2 bytes expected, 3 found
              69 08 ff
                    ^

            """
        ),
        (
            ["decode", "temperature", "690x"],
            """
            bluefleet decode: 'x' is not a hexadecimal digit
              690x
                 ^

            """
        ),
        (
            ["decode", "temperature", "690"],
            """
            bluefleet decode: incomplete byte: expected two hexadecimal digits
              690
                ^

            """
        ),
        (
            ["encode", "temperature", #"{"value":70,"unit":"°F"}"#],
            """
            bluefleet encode: unit: expected °C, found "°F"
              {"value":70,"unit":"°F"}
                          ^

            """
        ),
        (
            ["encode", "temperature", #"{"valeu":21.5}"#],
            """
            bluefleet encode: unknown field valeu: the only field is value
              {"valeu":21.5}
               ^

            """
        ),
        (
            ["encode", "temperature", #"{"unit":"°C"}"#],
            """
            bluefleet encode: value is missing
              {"unit":"°C"}
                          ^

            """
        ),
        (["encode", "temperature", #"{"base64":"?"}"#], "bluefleet encode: '?' is not base64 (RFC 4648)\n"),
        (
            ["encode", "temperature", "{\"value\" 21}"],
            """
            bluefleet encode: not valid JSON: expected ':' after the name
              {"value" 21}
                       ^

            """
        ),
        (
            ["encode", "body_sensor_location", "chst"],
            """
            bluefleet encode: body_sensor_location: expected one of other, chest, wrist, finger, hand, ear_lobe, foot, found \
            "chst"
              chst
              ^

            """
        ),
        (
            ["encode", "heart_rate_measurement", "{\"heart_rate\":72, \"heart_beat\":1}"],
            """
            bluefleet encode: unknown field heart_beat: the fields are sensor_contact, heart_rate, energy_expended, rr_intervals
              {"heart_rate":72, "heart_beat":1}
                                ^

            """
        ),
    ]

    @Test func `a format may be in a file, and its mistakes are reported`() throws {
        try Bluefleet.withFile("- {name: a, type: uint8}\n- {name: b, type: utf8}\n") { path in
            let outcome = try Bluefleet.run("decode", "--format", path, "--json", "07 6869")
            #expect(outcome.output == #"{"a":7,"b":"hi"}"# + "\n")
        }
        let outcome = try Bluefleet.run("encode", "--format", "[{name: a, type: uint9}]", "1")
        #expect(outcome.status == 78)
        let advice = "write type: uint16, bits: {0-8: NAME}"
        #expect(outcome.error == "bluefleet encode: --format:1:18: unknown type 'uint9': \(advice)\n")
    }

    static let misused: [(words: [String], error: String)] = [
        (["decode", "--format", "[{name: a, type: uint8}]"], "missing argument HEX: "),
        (["encode", "--format", "[{name: a, type: uint8}]"], "missing argument JSON: "),
        (["encode", "--format", "[{name: a, type: uint8}]", "1", "2"], "unexpected argument '2' with --format"),
        (
            ["decode", "--format", "[{name: a, type: uint8}]", "--advertisement", "0201"],
            "--format and --advertisement exclude each other"
        ),
    ]

    @Test(arguments: misused)
    func `a format replaces the characteristic`(words: [String], error: String) throws {
        let outcome = try Bluefleet.run(words)
        #expect(outcome.status == 64)
        #expect(outcome.error.contains(error), "\(outcome.error)")
    }

    @Test(arguments: refused)
    func `an invalid value is rejected and marked`(words: [String], error: String) throws {
        let outcome = try Bluefleet.run(words)
        #expect(outcome.status == 65)
        #expect(outcome.output == "")
        #expect(outcome.error == error)
    }

    @Test func `an unknown format is reported`() throws {
        let outcome = try Bluefleet.run("decode", "6e400002-b5a3-f393-e0a9-e50e24dcca9e", "00")
        #expect(outcome.status == 65)
        #expect(outcome.error.contains("'6e400002-b5a3-f393-e0a9-e50e24dcca9e' is unknown"))
    }

    @Test(arguments: [
        ("21,5", "use a decimal point: 21.5"), ("{on:true}", #"put names and texts in quotation marks: '{"on":true}'"#),
        ("warm", "this format needs a value such as '1'"), ("North 3", "this format needs a value such as '1'"),
    ])
    func `a frequent mistake in JSON is reported with the correct form`(text: String, advice: String) throws {
        let outcome = try Bluefleet.run("encode", "temperature", text)
        #expect(outcome.status == 65)
        #expect(outcome.error.split(separator: "\n").first?.hasSuffix("; \(advice)") == true)
    }
}

import Bluetooth
import Codec
import Configuration
import HomeAssistantSchema
import JSON
import MQTT
import Testing

@testable import HomeAssistant

/// The entities of characteristics that can be written.
@Suite struct ControlEntityTests {
    @Test(arguments: [
        ("{name: on, type: boolean}", "switch"), ("{name: level, type: uint8}", "number"),
        ("{name: mode, type: uint8, values: {0: off, 1: on}}", "select"),
        ("{name: label, type: utf8}", "text"), ("{name: raw, type: bytes}", "text"),
    ])
    func `a writable characteristic has an entity of the matching platform`(fields: String, platform: String) throws {
        let entity = try DiscoveryTests.entities(
            """
            output: {uuid: 7e400002-b5a3-f393-e0a9-e50e24dcca9e, write: true, format: [\(fields)]}
            """)["7e400002-b5a3-f393-e0a9-e50e24dcca9e"]
        #expect(entity?["platform"]?.string == platform)
        #expect(entity?["command_topic"] == "bluefleet/sensor/output/set")
        // Without a state, Home Assistant would show a value that the device has refused.
        #expect(entity?["state_topic"] == "bluefleet/sensor/response/set")
    }

    static let output = "7e400002-b5a3-f393-e0a9-e50e24dcca9e"

    @Test func `the state of a control without readings is the last accepted value`() throws {
        func template(_ format: String) throws -> String? {
            try DiscoveryTests.entities("it: {uuid: \(Self.output), write: true\(format)}")[Self.output]?[
                "value_template"]?
                .string
        }
        let test = "{% if (value_json.data | default({})).characteristic | default('') == 'it' %}"
        #expect(
            try template(", format: [{name: level, type: uint8}]") == test + "{{ value_json.data.value }}{% endif %}")
        let other = "{% else %}{{ '' if this.state in ['unknown', 'unavailable'] else this.state }}{% endif %}"
        #expect(try template("") == test + "{{ (value_json.data.hex | string)[:254] }}" + other)
    }

    @Test(arguments: [
        ("{name: label, type: utf8, length: 16}", 16), ("{name: label, type: utf16, length: 16}", 8),
        ("{name: raw, type: bytes, length: 4}", 8),
    ])
    func `a text of a fixed length has a maximum of characters`(field: String, most: Int) throws {
        let entities = try DiscoveryTests.entities("it: {uuid: \(Self.output), write: true, format: [\(field)]}")
        #expect(entities[Self.output]?["max"] == .number(JSON.Number(most)))
    }

    @Test func `each operation of a format with an op code is an entity`() throws {
        let entities = try DiscoveryTests.entities(
            """
            valve:
              uuid: \(Self.output)
              write: true
              format:
                - {name: op, type: uint8, values: {1: start, 2: "stop it", 3: set_pressure, 4: set_mode, 5: set_both}}
                - {name: pressure, type: uint16, scale: 0.01, unit: bar, when: op = 3}
                - {name: mode, type: uint8, values: {0: slow, 1: fast}, when: op = 4}
                - {name: low, type: uint8, when: op = 5}
                - {name: high, type: uint8, when: op = 5}
            """)
        let start = entities["\(Self.output)_start-set"]
        #expect(start?["platform"] == "button")
        #expect(start?["name"] == "Start")
        #expect(start?["payload_press"]?.string == #"{"op":"start"}"#)
        #expect(entities["\(Self.output)_stop_it-set"]?["payload_press"]?.string == #"{"op":"stop it"}"#)
        let pressure = entities["\(Self.output)_set_pressure-set"]
        #expect(pressure?["platform"] == "number")
        #expect(pressure?["device_class"] == "pressure")
        #expect(pressure?["command_template"]?.string == "{{ {'op': 'set_pressure', 'pressure': value} | tojson }}")
        #expect(
            pressure?["value_template"]?.string?.hasSuffix(
                "and value_json.data.value['op'] == 'set_pressure' %}"
                    + "{{ value_json.data.value['pressure'] | default('') }}{% endif %}") == true)
        let mode = entities["\(Self.output)_set_mode-set"]
        #expect(mode?["platform"] == "select")
        #expect(mode?["options"] == ["slow", "fast"])
        #expect(entities["\(Self.output)_set_both-set"] == nil)
        // A client can write any operation as JSON.
        #expect(entities["\(Self.output)-set"]?["platform"] == "text")
        #expect(entities["\(Self.output)-set"]?["enabled_by_default"] == false)
    }

    @Test func `a name that contains Jinja is a quoted string in each template`() throws {
        let entities = try DiscoveryTests.entities(
            """
            valve:
              uuid: \(Self.output)
              write: true
              format:
                - {name: "{{ 3*3 }}", type: uint8, values: {1: "{% now %}", 2: "it's"}}
                - {name: "{# a #}", type: uint8, when: "{{ 3*3 }} = 1"}
                - {name: level, type: utf8, when: "{{ 3*3 }} = 2"}
            """)
        let templates = entities.values.compactMap { $0["command_template"]?.string }
        #expect(
            templates.sorted() == [
                "{{ {'{{ 3*3 }}': 'it\\'s', 'level': value} | tojson }}",
                "{{ {'{{ 3*3 }}': '{% now %}', '{# a #}': value} | tojson }}",
            ])
    }

    @Test func `a control without a state exists in addition to the sensors`() throws {
        let entities = try DiscoveryTests.entities(
            """
            reset: {uuid: 2A39, write: true, subscribe: true}
            lamp:
              uuid: 7e400002-b5a3-f393-e0a9-e50e24dcca9e
              write: true
              subscribe: true
              format: [{name: channel, type: uint8}, {name: level, type: uint8}]
            """)
        #expect(entities["2a39-set"]?["payload_press"]?.string == "\"reset_energy_expended\"")
        #expect(entities["2a39"]?["platform"] == "sensor")
        let lamp = "7e400002-b5a3-f393-e0a9-e50e24dcca9e"
        #expect(entities["\(lamp)-set"]?["platform"] == "text")
        #expect(entities["\(lamp)_level"]?["platform"] == "number")
    }

    @Test func `a characteristic that is written and subscribed to is one entity with a state`() throws {
        let entities = try DiscoveryTests.entities(
            """
            level: {uuid: 2AF9, write: true, subscribe: true}
            """)
        #expect(entities["2af9"]?["platform"] == "number")
        #expect(entities["2af9"]?["state_topic"] == "bluefleet/sensor/level")
        #expect(entities["2af9"]?["max"] == 65535)
        #expect(entities.count == 2)
    }

    private static let lamp = """
        lamp:
          uuid: \(output)
          write: true
          subscribe: true
          format:
            - {name: brightness, type: uint8, min: 1, max: 100, step: 5, title: Glow, icon: mdi:lamp}
            - {name: flags, type: uint8, bits: {0: on, 1-2: {name: mode, values: {0: calm, 1: lively}, enabled: false}}}
            - {name: label, type: utf8, length: 4}
            - {name: raw, type: bytes, length: 2}
            - {name: list, type: uint8, count: 2}
            - {name: level, type: uint8, when: on}
        """

    @Test func `each field of a writable value is an entity that shows and changes it`() throws {
        let entities = try DiscoveryTests.entities(Self.lamp)
        let brightness = try #require(entities["\(Self.output)_brightness"])
        #expect(brightness["platform"] == "number")
        #expect(brightness["name"] == "Glow" && brightness["icon"] == "mdi:lamp")
        #expect(brightness["min"] == 1 && brightness["max"] == 100 && brightness["step"] == 5)
        #expect(brightness["command_topic"] == "bluefleet/sensor/lamp/set")
        #expect(brightness["command_template"] == "{{ {'brightness': value} | tojson }}")
        #expect(brightness["state_topic"] == "bluefleet/sensor/lamp")
        #expect(brightness["value_template"] == "{{ value_json['brightness'] | default('') }}")
        let on = try #require(entities["\(Self.output)_on"])
        #expect(on["platform"] == "switch")
        #expect(on["payload_on"]?.string == #"{"on":true}"# && on["payload_off"]?.string == #"{"on":false}"#)
        let mode = try #require(entities["\(Self.output)_mode"])
        #expect(mode["platform"] == "select" && mode["options"] == ["calm", "lively"])
        #expect(mode["enabled_by_default"] == false)
        let label = try #require(entities["\(Self.output)_label"])
        #expect(label["platform"] == "text" && label["max"] == 4)
        let raw = try #require(entities["\(Self.output)_raw"])
        #expect(raw["command_template"] == "{{ {'raw': value} | tojson }}" && raw["max"] == 4)
        // A field that depends on another one is shown only.
        #expect(entities["\(Self.output)_level"]?["platform"] == "sensor")
        let object = try #require(entities["\(Self.output)-set"])
        #expect(object["platform"] == "text" && object["enabled_by_default"] == false)
    }

    @Test func `the entities of fields are valid for Home Assistant`() throws {
        let discovery = try DiscoveryTests.discovery(
            "sensor:\n  address: C0:00:00:00:00:01\n  characteristics:\n"
                + Self.lamp.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
        let settings = try DiscoveryTests.configuration("a: {address: C0:00:00:00:00:01}").homeAssistant
        let schema = try HomeAssistantSchema()
        let messages = try discovery.messages(settings, origin: Discovery.origin(version: "1"))
        #expect(!messages.isEmpty)
        for message in messages {
            #expect(schema.complaints(about: .object(message.payload), on: message.topic.description).isEmpty)
        }
    }

    @Test func `fields that are only written have the last accepted value, and the whole value stays enabled`() throws {
        let entities = try DiscoveryTests.entities(
            Self.lamp.split(separator: "\n").filter { !$0.contains("subscribe") }.joined(separator: "\n"))
        #expect(entities["\(Self.output)_brightness"]?["state_topic"] == "bluefleet/sensor/response/set")
        #expect(entities["\(Self.output)-set"]?["enabled_by_default"] == nil)
        // A control point of the Bluetooth SIG has no state.
        let alert = try DiscoveryTests.entities("alert: {uuid: 2A44, write: true}")
        #expect(alert["2a44-set"] != nil && alert.count == 2)
    }

    private static let status = "7e400003-b5a3-f393-e0a9-e50e24dcca9e"

    @Test(arguments: [
        ("[{name: on, type: boolean}]", "status", "switch", "on"),
        ("[{name: it, type: boolean}]", "status.on", "switch", "on"),
        ("[{name: level, type: uint8}]", "status", "number", "level"),
        ("[{name: mode, type: uint8, values: {0: calm, 1: lively}}]", "status", "select", "mode"),
        ("[{name: label, type: utf8}]", "status", "text", "label"),
    ])
    func `the state of a control is the value that the key state names`(
        format: String, state: String, platform: String, field: String
    ) throws {
        let entities = try DiscoveryTests.entities(
            """
            it: {uuid: \(Self.output), write: true, state: \(state), format: \(format)}
            status:
              uuid: \(Self.status)
              subscribe: true
              format:
                - {name: on, type: boolean}
                - {name: level, type: uint8}
                - {name: mode, type: uint8, values: {0: calm, 1: lively}}
                - {name: label, type: utf8}
            """)
        let entity = try #require(entities[Self.output])
        #expect(entity["platform"]?.string == platform)
        #expect(entity["state_topic"] == "bluefleet/sensor/status")
        #expect(entity["command_topic"] == "bluefleet/sensor/it/set")
        #expect(entity["value_template"]?.string?.contains("value_json['\(field)']") == true)
    }

    @Test func `fields and arguments of operations have the state of the field with their name`() throws {
        let entities = try DiscoveryTests.entities(
            """
            lamp:
              uuid: \(Self.output)
              write: true
              state: status
              format: [{name: level, type: uint8}, {name: other, type: uint8}]
            blind:
              uuid: 2AF9
              write: true
              state: level
              format: [{name: op, type: uint8, values: {1: stop, 2: move}}, {name: level, type: uint8, when: op = move}]
            status: {uuid: \(Self.status), subscribe: true, format: [{name: level, type: uint8}, {name: x, type: uint8}]}
            level: {uuid: 2A19, subscribe: true, format: [{name: level, type: uint8}], publish: {payload: value}}
            """)
        let level = try #require(entities["\(Self.output)_level"])
        #expect(level["state_topic"] == "bluefleet/sensor/status")
        #expect(entities["\(Self.output)_other"]?["state_topic"] == "bluefleet/sensor/response/set")
        let move = try #require(entities["2af9_move-set"])
        #expect(move["state_topic"] == "bluefleet/sensor/level")
        #expect(move["value_template"] == "{{ value_json }}")
    }

    @Test func `title and icon of a single field apply to its entity`() throws {
        let entities = try DiscoveryTests.entities(
            "it: {uuid: \(Self.output), write: true, format: [{name: a, type: uint8, title: Speed, icon: mdi:fan}]}")
        #expect(entities[Self.output]?["name"] == "Speed" && entities[Self.output]?["icon"] == "mdi:fan")
    }

    @Test(arguments: [
        ("", 254), (", format: [{name: raw, type: bytes}]", 254), (", format: [{name: label, type: utf8}]", 255),
    ])
    func `a state is cut to the length that Home Assistant accepts, after a whole byte`(format: String, limit: Int)
        throws
    {
        let entity = try DiscoveryTests.entities(
            "it: {uuid: 7e400002-b5a3-f393-e0a9-e50e24dcca9e, write: true, subscribe: true\(format)}")[
                "7e400002-b5a3-f393-e0a9-e50e24dcca9e"]
        #expect(entity?["platform"] == "text")
        #expect(entity?["value_template"]?.string == "{{ (value_json.value | string)[:\(limit)] }}")
    }
}

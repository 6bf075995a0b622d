import Codec
import Configuration
import Contract
import HomeAssistantSchema
import JSON
import MQTT
import Testing

@testable import HomeAssistant

/// The entities of lists and of records.
@Suite struct PartEntityTests {
    private static let key = "7e400002-b5a3-f393-e0a9-e50e24dcca9e"

    private static func entities(_ format: String, _ keys: String = "") throws -> [String: JSON] {
        try DiscoveryTests.entities("it: {uuid: \(key), subscribe: true\(keys), format: \(format)}")
    }

    private static let cells =
        "[{name: state, type: uint8}, {name: cells, type: uint16, scale: 0.001, unit: V, count: 4}]"

    @Test func `a list of numbers has entities for its minimum, its maximum and their difference`() throws {
        let entities = try Self.entities(Self.cells)
        let template = "{% set x = value_json['cells'] | default([], true) | select('number') | list %}"
        let expected: JSON = [
            "unique_id": .string("bluefleet_c00000000001_\(Self.key)_cells--minimum"), "name": "Cells minimum",
            "state_topic": "bluefleet/sensor/it",
            "value_template": .string(
                template + "{{ (x | min) if x else '' if value_json['cells'] is undefined else none }}"),
            "device_class": "voltage", "state_class": "measurement", "unit_of_measurement": "V",
            "suggested_display_precision": 2, "platform": "sensor",
        ]
        #expect(entities["\(Self.key)_cells--minimum"] == expected)
        #expect(entities["\(Self.key)_cells--maximum"]?["value_template"]?.string?.contains("(x | max)") == true)
        let difference = try #require(entities["\(Self.key)_cells--difference"])
        #expect(difference["value_template"]?.string?.contains("((x | max) - (x | min)) | round(3)") == true)
        #expect(difference["device_class"] == "voltage")
        #expect(difference["suggested_display_precision"] == 3)
    }

    @Test func `each element of a list of numbers is an entity that is not enabled`() throws {
        let entities = try Self.entities(Self.cells)
        #expect(entities["\(Self.key)_cells--4"]?["name"] == "Cells 4")
        #expect(
            entities["\(Self.key)_cells--4"]?["value_template"]
                == "{{ (value_json['cells'] | default({}))[3] | default('') }}")
        #expect(entities["\(Self.key)_cells--1"]?["enabled_by_default"] == false)
        #expect(entities["\(Self.key)_cells--5"] == nil)
        #expect(entities["\(Self.key)_cells"] == nil)
    }

    @Test(arguments: [
        ("[{name: n, type: uint8}, {name: x, type: uint8, count: n}]", 32),
        ("[{name: n, type: uint8, bits: {0-2: n}}, {name: x, type: uint8, count: n}]", 7),
        ("[{name: a, type: uint8}, {name: x, type: uint8, count: rest}]", 32),
        ("[{name: a, type: uint8}, {name: x, type: uint8, count: 33}]", 32),
        (
            "[{name: a, type: uint8}, {name: x, type: record, count: 20, fields: [{name: p, type: uint8}, {name: q, type: "
                + "boolean}]}]", 32
        ),
    ])
    func `a list has up to 32 entities of elements, and never more than the format allows`(
        format: String, count: Int
    ) throws {
        let keys = try Self.entities(format).keys.filter { $0.hasPrefix("\(Self.key)_x--") }
        #expect(keys.filter { $0.dropFirst(Self.key.count + 4).first?.isNumber ?? false }.count == count)
    }

    @Test func `the only list of a reading is read from its value`() throws {
        let entities = try Self.entities("[{name: x, type: uint8, count: 2}]")
        #expect(
            entities["\(Self.key)--2"]?["value_template"] == "{{ (value_json.value | default({}))[1] | default('') }}")
        #expect(entities["\(Self.key)--2"]?["name"] == "It 2")
        let bare = try Self.entities("[{name: x, type: uint8, count: 2}]", ", publish: {payload: value}")
        #expect(bare["\(Self.key)--2"]?["value_template"] == "{{ (value_json | default({}))[1] | default('') }}")
    }

    @Test func `the elements of a standard list without a count are a series`() throws {
        let entities = try DiscoveryTests.entities("heart: {service: 180D, uuid: 2A37, subscribe: true}")
        #expect(entities["180d_2a37_rr_intervals--minimum"]?["unit_of_measurement"] == "s")
        #expect(entities["180d_2a37_rr_intervals--1"] == nil)
    }

    @Test func `each member of a record is an entity`() throws {
        let entities = try Self.entities(
            """
            [{name: state, type: uint8}, {name: room, type: record, fields: [
              {name: warmth, type: sint16, scale: 0.01, unit: "°C", precision: 2},
              {name: door, type: boolean}, {name: "it's", type: uint8, values: {0: a, 1: b}}]}]
            """)
        let warmth = try #require(entities["\(Self.key)_room--warmth"])
        #expect(warmth["name"] == "Room warmth")
        #expect(warmth["device_class"] == "temperature")
        #expect(warmth["suggested_display_precision"] == 2)
        #expect(
            warmth["value_template"] == "{{ (value_json['room'] | default({}))['warmth'] | default('') }}")
        #expect(warmth["enabled_by_default"] == nil)
        #expect(entities["\(Self.key)_room--door"]?["platform"] == "binary_sensor")
        #expect(entities["\(Self.key)_room--it_s"]?["options"] == ["a", "b"])
        #expect(
            entities["\(Self.key)_room--it_s"]?["value_template"]?.string?.contains("[\'it\\'s\']") == true)
    }

    @Test func `each member of each record in a list is an entity`() throws {
        let rooms = "type: record, count: 2, fields: [{name: warmth, type: sint16, unit: \"°C\"}]"
        let entities = try Self.entities("[{name: a, type: uint8}, {name: rooms, \(rooms)}]")
        let second = try #require(entities["\(Self.key)_rooms--2--warmth"])
        #expect(second["name"] == "Rooms 2 warmth")
        #expect(second["enabled_by_default"] == nil)
        #expect(
            second["value_template"]
                == "{{ ((value_json['rooms'] | default({}))[1] | default({}))['warmth'] | default('') }}")
    }

    @Test func `the difference of temperatures is not a temperature`() throws {
        let entities = try Self.entities("[{name: probes, type: sint16, unit: \"°C\", count: 4}]")
        #expect(entities["\(Self.key)--minimum"]?["device_class"] == "temperature")
        #expect(entities["\(Self.key)--difference"]?["device_class"] == nil)
        #expect(entities["\(Self.key)--difference"]?["unit_of_measurement"] == "°C")
    }

    @Test func `an advertised list has the same entities`() throws {
        let configuration = try DiscoveryTests.configuration(
            """
            pack:
              address: C0:00:00:00:00:01
              advertisement:
                company: 0x1234
                format: [{name: n, type: uint8}, {name: cells, type: uint8, unit: V, count: n, precision: 1}]
            """)
        let device = configuration.devices[0]
        let quantity = AdvertisedQuantity(
            Reading.Member(name: "cells", value: .list([1]), unit: "V"), of: AdvertisementFormat.own)
        let discovery = try Discovery(
            device, DeviceIdentity(), advertised: [quantity], DiscoveryTests.topics, gateway: "attic")
        let entities = Dictionary(discovery.entities.map { ($0.key, $0.members) }) { $1 }
        #expect(entities["advertised_cells--maximum"]?["suggested_display_precision"] == 1)
        #expect(
            entities["advertised_cells--32"]?["value_template"]
                == "{{ (value_json.value | default({}))[31] | default('') }}")
    }

    @Test(arguments: ["device", "component"])
    func `the discovery of lists and records is valid for Home Assistant`(form: String) throws {
        let schema = try HomeAssistantSchema()
        let configuration = try DiscoveryTests.configuration(
            """
            sensor:
              address: C0:00:00:00:00:01
              characteristics:
                it:
                  uuid: \(Self.key)
                  subscribe: true
                  format:
                    - {name: n, type: uint8}
                    - {name: energy, type: uint16, unit: kWh, count: 3}
                    - {name: "{{ 1 }}", type: uint8, count: n}
                    - {name: r, type: record, count: 3, fields: [
                        {name: "{% x %}", type: sint8, unit: "°C"}, {name: t, type: timestamp}, {name: d, type: date},
                        {name: s, type: utf8, length: 2}, {name: b, type: uint8, bits: {0: open, 1-3: level}}]}
            """, discovery: form)
        let discovery = try Discovery(
            configuration.devices[0], DeviceIdentity(), DiscoveryTests.topics, gateway: "attic")
        for message in try discovery.messages(configuration.homeAssistant, origin: ["name": "Bluefleet"]) {
            let complaints = schema.complaints(about: .object(message.payload), on: message.topic.description)
            #expect(complaints.isEmpty, "\(complaints)")
        }
        #expect(discovery.entities.count == 61)
    }
}

import Bluetooth
import Codec
import Configuration
import HomeAssistantSchema
import JSON
import MQTT
import Testing

@testable import Contract
@testable import HomeAssistant

@Suite struct DiscoveryTests {
    static let topics: Topics = {
        guard let topics = try? Topics(prefix: "bluefleet", gateway: "attic") else {
            preconditionFailure("the names are valid in topics")
        }
        return topics
    }()

    static func configuration(_ device: String, discovery: String = "device") throws -> Configuration {
        try Configuration(
            yaml: """
                gateway: attic
                home_assistant: {discovery: \(discovery)}
                devices:
                \(device.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
                """, file: "test.yaml")
    }

    static func discovery(_ device: String) throws -> Discovery {
        try Discovery(configuration(device).devices[0], DeviceIdentity(), topics, gateway: "attic")
    }

    /// Returns the entities of a device with these characteristics, by their keys.
    static func entities(_ characteristics: String, name: String = "sensor") throws -> [String: JSON] {
        let discovery = try discovery(
            """
            \(name):
              address: C0:00:00:00:00:01
              characteristics:
            \(characteristics.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
            """)
        let entities = discovery.entities.map { entity in
            var configuration = entity.configuration(of: discovery.identifier)
            configuration["platform"] = .string(entity.platform.rawValue)
            return (entity.key, JSON.object(configuration))
        }
        return Dictionary(uniqueKeysWithValues: entities)
    }

    // MARK: The device

    @Test func `a device is identified by its address, and refers to its gateway`() throws {
        let discovery = try Self.discovery("cellar/freezer: {address: C0:00:00:00:00:02}")
        #expect(discovery.identifier == "bluefleet_c00000000002")
        #expect(
            JSON.object(discovery.device) == [
                "identifiers": ["bluefleet_c00000000002"], "connections": [["bluetooth", "C0:00:00:00:00:02"]],
                "name": "cellar/freezer", "via_device": "bluefleet_gateway_attic",
            ])
        #expect(
            discovery.availability.map { $0["topic"] } == [
                "bluefleet/bridge/attic/state", "bluefleet/cellar/freezer/availability",
            ])
    }

    @Test func `a device carries what it reports about itself`() throws {
        var identity = DeviceIdentity()
        let notes: [(Value, UUID)] = [
            (.string("Example Ltd"), 0x2A29), (.string("2.0"), 0x2A28), (.string("1.0"), 0x2A26),
            (.string("1.0"), 0x2A26), (.number(1), 0x2A6E),
        ]
        let news = notes.map { value, uuid in identity.note(.value(value, unit: nil), of: uuid) }
        #expect(news == [true, true, true, false, false])
        let configuration = try Self.configuration("a: {address: C0:00:00:00:00:02}").devices[0]
        let device = try Discovery(configuration, identity, Self.topics, gateway: "attic").device
        #expect(device["manufacturer"] == "Example Ltd")
        #expect(device["sw_version"] == "1.0")
        #expect(device["hw_version"] == nil)
        #expect(identity.info["software"] == "2.0")
    }

    @Test func `identifiers do not change with names`() throws {
        let one = try Self.entities("t: {service: 181A, uuid: 2A6E, subscribe: true}")
        let other = try Self.entities("air: {service: 181A, uuid: 2A6E, subscribe: true}", name: "cellar")
        #expect(one["181a_2a6e"]?["unique_id"] == "bluefleet_c00000000001_181a_2a6e")
        #expect(one["181a_2a6e"]?["unique_id"] == other["181a_2a6e"]?["unique_id"])
    }

    @Test func `characteristics with the same UUIDs are separate entities`() throws {
        let entities = try Self.entities(
            """
            left: {service: 180F, uuid: 2A19, read: 1h}
            right: {service: 180F, uuid: 2A19, instance: 2, read: 1h}
            """)
        #expect(entities["180f_2a19"]?["state_topic"] == "bluefleet/sensor/left")
        #expect(entities["180f_2a19-2"]?["state_topic"] == "bluefleet/sensor/right")
        #expect(entities["180f_2a19-2"]?["unique_id"] == "bluefleet_c00000000001_180f_2a19-2")
    }

    @Test func `the device form has one message, the component form one for each entity, and none has none`() throws {
        let keys = """
            sensor:
              address: C0:00:00:00:00:01
              characteristics: {temperature: {service: 181A, subscribe: true}}
            """
        func topics(_ form: String) throws -> [String] {
            let configuration = try Self.configuration(keys, discovery: form)
            let discovery = try Discovery(configuration.devices[0], DeviceIdentity(), Self.topics, gateway: "attic")
            let messages = try discovery.messages(configuration.homeAssistant, origin: Discovery.origin(version: "1"))
            return messages.map(\.topic.description)
        }
        #expect(try topics("device") == ["homeassistant/device/bluefleet_c00000000001/config"])
        #expect(
            try topics("component") == [
                "homeassistant/sensor/bluefleet_c00000000001/181a_2a6e/config",
                "homeassistant/sensor/bluefleet_c00000000001/signal_strength/config",
            ])
        #expect(try topics("none").isEmpty)
    }

    // MARK: Sensors

    @Test func `a quantity of the SIG has its class, its unit and its precision`() throws {
        let entity = try Self.entities("temperature: {service: 181A, subscribe: true}")["181a_2a6e"]
        #expect(
            entity == [
                "unique_id": "bluefleet_c00000000001_181a_2a6e", "state_topic": "bluefleet/sensor/temperature",
                "value_template": "{{ value_json.value }}", "device_class": "temperature",
                "state_class": "measurement", "unit_of_measurement": "°C", "suggested_display_precision": 1,
                "platform": "sensor",
            ])
    }

    @Test func `a unit that the class does not allow is converted`() throws {
        let entity = try Self.entities("rainfall: {service: 181A, subscribe: true}")["181a_2a78"]
        #expect(entity?["unit_of_measurement"] == "mm")
        #expect(
            entity?["value_template"]
                == "{% set x = value_json.value %}{{ (x * 1000) | round(0) if x is number else x }}")
    }

    @Test func `the unit and the class of the configuration take precedence`() throws {
        let entity = try Self.entities(
            "pressure: {service: 181A, subscribe: true, unit: mbar, device_class: pressure}")["181a_2a6d"]
        #expect(entity?["unit_of_measurement"] == "mbar")
        #expect(entity?["device_class"] == "pressure")
        #expect(entity?["value_template"] == "{{ value_json.value }}")
    }

    @Test func `a class that does not allow the unit is left out`() throws {
        let entities = try Self.entities(
            """
            temperature: {service: 181A, subscribe: true, unit: C}
            battery_level: {service: 180F, read: 1h, unit: V}
            level: {uuid: 2B18, write: true, subscribe: true, unit: volts}
            """)
        for (key, unit) in [("181a_2a6e", "C"), ("180f_2a19", "V"), ("2b18", "volts")] {
            #expect(entities[key]?["unit_of_measurement"]?.string == unit)
            #expect(entities[key] != nil && entities[key]?["device_class"] == nil)
        }
        #expect(entities["181a_2a6e"]?["name"] == "Temperature")
        #expect(entities["180f_2a19"]?["entity_category"] == "diagnostic")
    }

    @Test(arguments: ["\u{B5}A", "\u{3BC}A"])
    func `a micro sign becomes the letter that Home Assistant uses`(unit: String) throws {
        let keys = "uuid: 7e400002-b5a3-f393-e0a9-e50e24dcca9e, unit: \(unit), device_class: current"
        let fields = "format: [{name: current, type: uint16}]"
        for use in ["subscribe: true", "write: true"] {
            let entity = try Self.entities("current: {\(keys), \(use), \(fields)}")[
                "7e400002-b5a3-f393-e0a9-e50e24dcca9e"]
            #expect(entity?["device_class"] == "current")
            #expect(entity?["unit_of_measurement"] == "\u{3BC}A")
        }
    }

    @Test func `each field is an entity, and keeps its state when a reading lacks it`() throws {
        let entities = try Self.entities("heart: {service: 180D, uuid: 2A37, subscribe: true}")
        #expect(entities["180d_2a37_heart_rate"]?["value_template"] == "{{ value_json['heart_rate'] | default('') }}")
        #expect(entities["180d_2a37_heart_rate"]?["unit_of_measurement"] == "bpm")
        #expect(entities["180d_2a37_sensor_contact"]?["platform"] == "binary_sensor")
        #expect(entities["180d_2a37_rr_intervals"] == nil)
    }

    @Test func `a reading in the other unit is converted`() throws {
        let entities = try Self.entities("body: {service: 1809, uuid: temperature_measurement, subscribe: true}")
        #expect(
            entities["1809_2a1c_temperature"]?["value_template"]?.string?.contains(
                "(x - 32) / 1.8) | round(3) if x is number and value_json['unit'] == '°F'") == true)
    }

    @Test func `a quantity with changing units has no unit`() throws {
        let entities = try Self.entities("meal: {service: 1808, uuid: glucose_measurement_context, subscribe: true}")
        #expect(entities["1808_2a34_medication"] != nil)
        #expect(entities["1808_2a34_medication"]?["unit_of_measurement"] == nil)
    }

    @Test func `a bare value needs no template for a field`() throws {
        let entities = try Self.entities(
            """
            temperature: {service: 181A, subscribe: true, publish: {payload: value}}
            body_sensor_location: {service: 180D, read: on connect, publish: {payload: value}}
            """)
        #expect(entities["181a_2a6e"]?["value_template"] == "{{ value_json }}")
        #expect(entities["180d_2a38"]?["value_template"]?.string?.contains("value == 'null'") == true)
    }

    @Test func `named values are an enumeration, or events if they are not retained`() throws {
        let format = "format: [{name: key, type: uint8, values: {1: short, 2: long}}]"
        let uuid = "uuid: 7e400002-b5a3-f393-e0a9-e50e24dcca9e, subscribe: true"
        let key = "7e400002-b5a3-f393-e0a9-e50e24dcca9e"
        let sensor = try Self.entities("key: {\(uuid), \(format)}")[key]
        #expect(sensor?["device_class"] == "enum")
        #expect(sensor?["options"] == ["short", "long"])
        let event = try Self.entities("key: {\(uuid), retain: false, \(format)}")[key]
        #expect(event?["platform"] == "event")
        #expect(event?["event_types"] == ["short", "long"])
    }

    @Test func `a number with a class of binary sensors is a binary sensor`() throws {
        let entity = try Self.entities("count_16: {subscribe: true, device_class: door}")["2aea"]
        #expect(entity?["platform"] == "binary_sensor")
        #expect(entity?["device_class"] == "door")
    }

    @Test func `a configured field gets its class from an unambiguous unit`() throws {
        let entities = try Self.entities(
            """
            bed:
              uuid: 5f6d0002-7a2c-4d0e-9c3b-1e0f6a5b4c3d
              read: on connect
              format: [{name: moisture, type: uint16, unit: "%"}, {name: warmth, type: sint16, unit: "°C"}]
            """)
        let key = "5f6d0002-7a2c-4d0e-9c3b-1e0f6a5b4c3d"
        #expect(entities["\(key)_warmth"]?["device_class"] == "temperature")
        #expect(entities["\(key)_moisture"]?["device_class"] == nil)
        #expect(entities["\(key)_moisture"]?["state_class"] == "measurement")
    }

    @Test(arguments: [
        ("bar", "pressure", "measurement"), ("kWh", "energy", "total_increasing"), ("s", "duration", "measurement"),
        ("\u{B5}A", "current", "measurement"), ("m³", nil, "measurement"), ("g", nil, "measurement"),
    ])
    func `a unit of one class decides about the classes`(unit: String, deviceClass: String?, stateClass: String) throws
    {
        let format = "[{name: value, type: uint32, unit: \(unit)}]"
        let entity = try Self.entities("it: {uuid: \(ControlEntityTests.output), subscribe: true, format: \(format)}")[
            ControlEntityTests.output]
        #expect(entity?["device_class"]?.string == deviceClass)
        #expect(entity?["state_class"]?.string == stateClass)
    }

    @Test func `a field has the classes and the precision of its configuration`() throws {
        let entities = try Self.entities(
            """
            meter:
              uuid: \(ControlEntityTests.output)
              subscribe: true
              format:
                - {name: cold, type: uint32, scale: 0.001, unit: m³, device_class: water, precision: 1}
                - {name: filled, type: uint32, unit: L, device_class: volume, state_class: total}
                - {name: status, type: uint8, bits: {0: {name: lid, device_class: door}}}
                - {name: starts, type: uint8, state_class: total_increasing, precision: 0}
            """)
        let (cold, filled) = (
            entities["\(ControlEntityTests.output)_cold"], entities["\(ControlEntityTests.output)_filled"]
        )
        #expect(cold?["device_class"] == "water")
        #expect(cold?["state_class"] == "total_increasing")
        #expect(cold?["suggested_display_precision"] == 1)
        #expect(filled?["device_class"] == "volume")
        #expect(filled?["state_class"] == "total")
        #expect(entities["\(ControlEntityTests.output)_lid"]?["device_class"] == "door")
        #expect(entities["\(ControlEntityTests.output)_starts"]?["state_class"] == "total_increasing")
        #expect(entities["\(ControlEntityTests.output)_starts"]?["suggested_display_precision"] == 0)
    }

    @Test(
        arguments: [
            ("unit: °C, scale: 0.001", 1), ("unit: \"%\", scale: 0.001", nil), ("unit: V, scale: 0.001", 2),
            ("unit: V, scale: 0.1", 1), ("unit: °C, scale: 0.001, precision: 3", 3), ("unit: hPa, scale: 0.01", 1),
            ("unit: lx, scale: 0.01", 0), ("unit: \"%\", scale: 0.001, device_class: humidity", 1),
        ] as [(String, Int?)])
    func `a number has at most the decimal places that a person reads`(keys: String, places: Int?) throws {
        let entity = try Self.entities(
            "it: {uuid: \(ControlEntityTests.output), subscribe: true, format: [{name: a, type: uint16, \(keys)}]}")[
                ControlEntityTests.output]
        if let places { #expect(entity?["suggested_display_precision"] == .number(JSON.Number(places))) }
    }

    @Test(arguments: [
        ("unit: kWh, state_class: measurement", "measurement"),
        ("unit: °C, state_class: total_increasing", "total_increasing"),
        ("unit: s, device_class: timestamp", "measurement"),
    ])
    func `a class that does not fit the number is not announced`(keys: String, stateClass: String) throws {
        let entity = try Self.entities(
            "it: {uuid: \(ControlEntityTests.output), subscribe: true, format: [{name: a, type: uint16, \(keys)}]}")[
                ControlEntityTests.output]
        #expect(entity?["device_class"] == nil)
        #expect(entity?["state_class"]?.string == stateClass)
    }

    @Test func `the state classes of the configuration are those of Home Assistant`() throws {
        let known = try HomeAssistantSchema().classes["sensor"]?.object ?? JSON.Object()
        #expect(known.count > 50)
        for (name, value) in known.map({ ($0.name, $0.value) }) {
            let allowed = Configuration.FieldLabel.StateClass.allowed(for: name).map(\.rawValue)
            let theirs = Set((value["state_classes"]?.array ?? []).compactMap(\.string))
            #expect(theirs.isEmpty == allowed.isEmpty && theirs.isSuperset(of: allowed), "\(name): \(allowed)")
        }
    }

    @Test func `the name none is not an event, and an event type occurs once`() throws {
        let entities = try Self.entities(
            """
            it: {uuid: \(ControlEntityTests.output), subscribe: true, retain: false, format: [{name: key, type: uint8, values: {0: none, 1: press}}]}
            """)
        #expect(entities[ControlEntityTests.output]?["event_types"] == ["press"])
        #expect(entities[ControlEntityTests.output]?["value_template"]?.string?.contains("x != 'none'") == true)
        let schema = try HomeAssistantSchema()
        let configuration = try Self.configuration("plug: {address: C0:00:00:00:00:01, connect: never}")
        let button = AdvertisedQuantity(
            Reading.Member(name: "button", value: .named("press", number: 1)), of: "bthome")
        let discovery = try Discovery(
            configuration.devices[0], DeviceIdentity(), advertised: [button], Self.topics, gateway: "attic")
        for message in try discovery.messages(configuration.homeAssistant, origin: ["name": "Bluefleet"]) {
            #expect(schema.complaints(about: .object(message.payload), on: "\(message.topic)").isEmpty)
        }
    }

    // MARK: Names

    @Test func `names do not repeat the device's name, and equal names are left to the class`() throws {
        let entities = try Self.entities(
            """
            temperature: {service: 181A, subscribe: true}
            dew_point: {service: 181A, subscribe: true}
            freezer_humidity: {service: 181A, uuid: 2A6F, subscribe: true}
            freezer: {uuid: 2AE2, subscribe: true}
            """, name: "cellar/freezer")
        #expect(entities["181a_2a6e"]?["name"] == "Temperature")
        #expect(entities["181a_2a7b"]?["name"] == "Dew point")
        #expect(entities["181a_2a6f"]?["name"] == "Humidity")
        #expect(entities["2ae2"]?["name"] == .null)
        #expect(entities["signal_strength"]?["name"] == nil)
    }

    @Test func `fields with the same name are distinguished by their characteristics`() throws {
        let format = "[{name: level, type: uint8}, {name: rest, type: uint8}]"
        let entities = try Self.entities(
            """
            left: {uuid: 7e400002-b5a3-f393-e0a9-e50e24dcca9e, subscribe: true, format: \(format)}
            right: {uuid: 7e400003-b5a3-f393-e0a9-e50e24dcca9e, subscribe: true, format: \(format)}
            """)
        #expect(entities["7e400002-b5a3-f393-e0a9-e50e24dcca9e_level"]?["name"] == "Left level")
        #expect(entities["7e400003-b5a3-f393-e0a9-e50e24dcca9e_rest"]?["name"] == "Right rest")
    }

    // MARK: Validity

    @Test(arguments: ["device", "component"])
    func `the discovery of every SIG characteristic is valid for Home Assistant`(form: String) throws {
        let schema = try HomeAssistantSchema()
        for definition in Characteristics.all {
            for keys in ["subscribe: true", "write: true", "write: true, read: 1h, publish: {payload: value}"] {
                let configuration = try Self.configuration(
                    """
                    sensor:
                      address: C0:00:00:00:00:01
                      characteristics: {it: {uuid: \(definition.uuid), \(keys)}}
                    """, discovery: form)
                let discovery = try Discovery(configuration.devices[0], DeviceIdentity(), Self.topics, gateway: "attic")
                for message in try discovery.messages(configuration.homeAssistant, origin: ["name": "Bluefleet"]) {
                    let complaints = schema.complaints(about: .object(message.payload), on: message.topic.description)
                    #expect(complaints.isEmpty, "\(definition): \(complaints)")
                }
            }
        }
    }

    @Test func `no class is newer than Home Assistant 2024_12`() {
        let newer: Set = [
            "absolute_humidity", "energy_distance", "pm4", "reactive_energy", "temperature_delta", "uptime",
            "wind_direction",
        ]
        let formats = Characteristics.all.map(\.format.quantities) + Advertisements.all.map(\.quantities)
        let classes = Set(formats.joined().compactMap { $0.homeAssistant?.deviceClass })
        #expect(classes.contains("pm10") && classes.isDisjoint(with: newer))
    }

    @Test func `the discovery of the gateway is valid for Home Assistant`() throws {
        let discovery = Discovery(gateway: "attic", version: "1", Self.topics)
        let settings = try Self.configuration("a: {address: C0:00:00:00:00:01}").homeAssistant
        let messages = try discovery.messages(settings, origin: Discovery.origin(version: "1"))
        let schema = try HomeAssistantSchema()
        #expect(messages.map(\.topic.description) == ["homeassistant/device/bluefleet_gateway_attic/config"])
        for message in messages {
            #expect(schema.complaints(about: .object(message.payload), on: message.topic.description).isEmpty)
        }
    }

    @Test func `a removed component is marked as removed first`() throws {
        let discovery = try Self.discovery("sensor: {address: C0:00:00:00:00:01}")
        let settings = try Self.configuration("a: {address: C0:00:00:00:00:01}").homeAssistant
        let message = try discovery.messages(settings, origin: ["name": "Bluefleet"])[0]
        let gone = message.gone(from: ["2a6e": "sensor", "signal_strength": "sensor"])
        #expect(gone == ["2a6e": "sensor"])
        let marked = message.removing(gone)
        #expect(marked.payload["components"]?["2a6e"] == ["platform": "sensor"])
        #expect(marked.payload["components"]?["signal_strength"] == message.payload["components"]?["signal_strength"])
    }

    @Test func `a component with another platform is marked as removed first`() throws {
        let discovery = try Self.discovery("sensor: {address: C0:00:00:00:00:01}")
        let settings = try Self.configuration("a: {address: C0:00:00:00:00:01}").homeAssistant
        let message = try discovery.messages(settings, origin: ["name": "Bluefleet"])[0]
        let marked = message.removing(message.gone(from: ["signal_strength": "number"]))
        #expect(marked.payload["components"] == ["signal_strength": ["platform": "number"]])
    }

    @Test(arguments: [
        (
            "battery_voltage: {uuid: \(ControlEntityTests.output), read: 1h, format: [{name: level, type: uint16, unit: V}]}",
            true
        ),
        (
            "supply: {uuid: \(ControlEntityTests.output), read: 1h, format: [{name: battery, type: uint16, unit: V}]}",
            true
        ),
        (
            "supply: {uuid: \(ControlEntityTests.output), read: 1h, format: [{name: level, type: uint16, unit: V}]}",
            false
        ),
        (
            "battery: {uuid: \(ControlEntityTests.output), read: 1h, format: [{name: level, type: uint16, unit: A}]}",
            false
        ),
    ])
    func `the voltage of the battery is diagnostic in a configured format`(yaml: String, isDiagnostic: Bool) throws {
        let entity = try #require(try Self.entities(yaml)[ControlEntityTests.output])
        #expect(entity["entity_category"]?.string == (isDiagnostic ? "diagnostic" : nil))
    }

    // MARK: Labels

    @Test func `title, area, icon, manufacturer and model of the configuration are shown`() throws {
        let discovery = try Self.discovery(
            """
            shed/climate:
              address: C0:00:00:00:00:01
              title: Shed
              area: Garden
              icon: mdi:sprout
              manufacturer: Example
              model: One
              characteristics:
                temperature: {title: Air, icon: mdi:sun-thermometer, enabled: false}
                level: {uuid: 2A19, format: [{name: level, type: uint8}], subscribe: true}
            """)
        #expect(discovery.device["name"] == "Shed")
        #expect(discovery.device["suggested_area"] == "Garden")
        #expect(discovery.device["manufacturer"] == "Example")
        #expect(discovery.device["model"] == "One")
        let air = try #require(discovery.entities.first).configuration(of: discovery.identifier)
        #expect(air["name"] == "Air")
        #expect(air["icon"] == "mdi:sun-thermometer")
        #expect(air["enabled_by_default"] == false)
        let level = discovery.entities[1].configuration(of: discovery.identifier)
        #expect(level["icon"] == "mdi:sprout")
        #expect(level["enabled_by_default"] == nil)
    }

    @Test func `advertisements show the maker, and facts about the device are not enabled`() throws {
        let configuration = try Self.configuration(
            """
            meter:
              address: C0:00:00:00:00:01
              connect: never
              quantities: {temperature: {title: Air}}
            """)
        let names = [("temperature", "°C"), ("sequence", nil), ("mac", nil)]
        let advertised = names.map { name, unit in
            AdvertisedQuantity(Reading.Member(name: name, value: .null, unit: unit), of: "ruuvi_5")
        }
        let discovery = try Discovery(
            configuration.devices[0], DeviceIdentity(), advertised: advertised, Self.topics, gateway: "attic")
        #expect(discovery.device["manufacturer"] == "Ruuvi Innovations")
        #expect(discovery.device["model"] == "RuuviTag")
        let entities = discovery.entities.map { $0.configuration(of: discovery.identifier) }
        #expect(entities[0]["name"] == "Air")
        #expect(entities.map { $0["enabled_by_default"] } == [nil, false, false, false])
        #expect(AdvertisementFormat.maker(of: "govee_h5075")?.model == "H5075")
        #expect(AdvertisementFormat.maker(of: "bthome") == nil)
    }
}

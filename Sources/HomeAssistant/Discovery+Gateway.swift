package import Contract
import JSON
import MQTT

extension Discovery {
    /// Makes the discovery of the gateway itself.
    package init(gateway: String, version: String, _ topics: Topics) {
        let state = topics[.state]
        let health = topics[.health]
        identifier = Self.identifier(ofGateway: gateway)
        device = [
            "identifiers": [.string(identifier)], "name": "Bluefleet \(gateway)", "manufacturer": "Bluefleet",
            "model": "Bluetooth LE gateway", "sw_version": .string(version),
        ]
        // Each entity has its own availability: the state of the gateway must stay visible while it is offline.
        availability = []
        let whileOnline: JSON = .array([Self.gatewayAvailability(topics)])
        let measurement: JSON.Object = [
            "state_topic": .string(health.description), "availability": whileOnline, "state_class": "measurement",
            "entity_category": "diagnostic",
        ]
        entities = [
            Entity(
                platform: .binarySensor, key: "state", name: .ofItsClass,
                members: [
                    "state_topic": .string(state.description), "value_template": "{{ value_json.state }}",
                    "payload_on": "online", "payload_off": "offline", "device_class": "connectivity",
                    "entity_category": "diagnostic",
                ]),
            Entity(
                platform: .sensor, key: "connections", name: .text("Connections"),
                members: measurement.adding([
                    "value_template": .string(
                        "{{ value_json.adapters | sum(attribute='connections') if value_json.adapters else none }}")
                ])),
            Entity(
                platform: .sensor, key: "notifications", name: .text("Notifications"),
                members: measurement.adding([
                    "value_template": "{{ value_json.notifications_per_second }}", "unit_of_measurement": "1/s",
                ])),
            Entity(
                platform: .sensor, key: "memory", name: .text("Memory"),
                members: measurement.adding([
                    "value_template": "{{ (value_json.memory / 1048576) | round(1) }}", "device_class": "data_size",
                    "unit_of_measurement": "MiB", "suggested_display_precision": 1,
                ])),
        ]
    }
}

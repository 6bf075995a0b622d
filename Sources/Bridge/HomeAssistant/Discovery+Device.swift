internal import Bluetooth
internal import Codec
internal import Configuration
internal import JSON
internal import MQTT

extension Discovery {
    /// What is told of a configured device.
    ///
    /// - Parameters:
    ///   - identity: what it has said of itself.
    ///   - formats: what it has said of its characteristics' bytes, by their names.
    ///   - advertised: what its advertisements tell, so far as is known.
    init(
        _ configuration: Configuration.Device, _ identity: DeviceIdentity, formats: [String: Format] = [:],
        advertised: [AdvertisedQuantity] = [], _ topics: Topics, gateway: String
    ) throws(TopicError) {
        let address = configuration.address.description
        let digits = address.lowercased().filter { $0 != ":" }
        identifier = "bluefleet_\(digits)"
        device = [
            "identifiers": [.string(identifier)],
            "connections": [["bluetooth", .string(address)]],
            "name": .string(configuration.name),
            "via_device": .string(Self.identifier(ofGateway: gateway)),
        ]
        device.merge(identity.homeAssistant)
        availability = [
            try Self.gatewayAvailability(topics),
            [
                "topic": .string(try topics.device(configuration.name, "availability").description),
                // Asleep is not connected on purpose: it can be used.
                "value_template": "{{ 'online' if value_json.state in ['online', 'asleep'] else 'offline' }}",
            ],
        ]
        var sources: [EntitySource] = []
        for characteristic in configuration.characteristics {
            let topic = try topics.device(configuration.name, characteristic.name).description
            let isAwaited = configuration.until?.contains(characteristic.name) ?? false
            sources.append(
                EntitySource(
                    characteristic, ownFormat: formats[characteristic.name], topic: topic, isAwaited: isAwaited))
        }
        for quantity in advertised {
            let topic = try topics.device(configuration.name, quantity.name).description
            let meaning = quantity.meaning(configuration.advertisements)
            sources.append(
                EntitySource(quantity, meaning, topic: topic, payload: configuration.publish.payload))
        }
        let drafts = sources.flatMap { EntityDrafts($0).all }
        let names = EntityNames(device: configuration.name, drafts)
        entities = drafts.map { $0.named(names.name(of: $0)) }
        entities.append(.signalStrength(try topics.device(configuration.name, "connection")))
    }

    static func identifier(ofGateway gateway: String) -> String {
        "bluefleet_gateway_\(Configuration.HomeAssistant.identifier(for: gateway))"
    }

    /// That the gateway is there: its state, and its last will.
    static func gatewayAvailability(_ topics: Topics) throws(TopicError) -> JSON {
        ["topic": .string(try topics.bridge("state").description), "value_template": "{{ value_json.state }}"]
    }
}

extension Entity {
    /// How strongly the device was heard, for those who look for the reason of a bad connection.
    fileprivate static func signalStrength(_ topic: Topic) -> Entity {
        Entity(
            platform: .sensor, key: "signal_strength", name: .ofItsClass,
            members: [
                "state_topic": .string(topic.description),
                "value_template": "{{ value_json.rssi | default('') }}", "device_class": "signal_strength",
                "state_class": "measurement", "unit_of_measurement": "dBm", "entity_category": "diagnostic",
                "enabled_by_default": false,
            ])
    }
}

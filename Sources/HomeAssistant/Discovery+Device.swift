import Bluetooth
package import Codec
package import Configuration
package import Contract
package import JSON
package import MQTT

extension Discovery {
    /// Makes the discovery of a configured device.
    ///
    /// - Parameters:
    ///   - configuration: the device in the configuration.
    ///   - identity: what the device reports about itself.
    ///   - formats: the formats that the device describes, by the names of its characteristics.
    ///   - advertised: the quantities that the device was seen to advertise.
    ///   - numbers: the numbers of the answered questions with `each`, by the names of their entries.
    ///   - topics: the topics of the gateway.
    ///   - gateway: the name of the gateway.
    /// - Throws: `TopicError` if a name cannot be part of a topic.
    package init(
        _ configuration: Configuration.Device, _ identity: DeviceIdentity, formats: [String: Format] = [:],
        advertised: [AdvertisedQuantity] = [], numbers: [String: [Int]] = [:], _ topics: Topics, gateway: String
    ) throws(TopicError) {
        let address = configuration.address.description
        let digits = address.lowercased().filter { $0 != ":" }
        identifier = "bluefleet_\(digits)"
        device = [
            "identifiers": [.string(identifier)],
            "connections": [["bluetooth", .string(address)]],
            "name": .string(configuration.label.title ?? configuration.name),
            "via_device": .string(Self.identifier(ofGateway: gateway)),
        ]
        device.merge(Self.maker(advertised))
        device.merge(identity.homeAssistant)
        device.merge(configuration.label.homeAssistant)
        availability = [
            Self.gatewayAvailability(topics),
            [
                "topic": .string(try topics.device(configuration.name, .availability).description),
                // A device that is asleep can be used, although it is not connected at the moment.
                "value_template": "{{ 'online' if value_json.state in ['online', 'asleep'] else 'offline' }}",
            ],
        ]
        let responses = try topics.device(
            configuration.name, .response, DeviceTopicGroup.set.rawValue
        ).description
        var sources: [EntitySource] = []
        // The records of a history are not the state of an entity.
        let characteristics = configuration.characteristics.filter { $0.exchange?.history == nil }
        for (index, characteristic) in characteristics.enumerated() {
            let same = characteristics.filter { $0.topicName == characteristic.topicName }
            // The first of several entries with one topic stands for all of them.
            if characteristics[..<index].contains(where: { $0.topicName == characteristic.topicName }) {
                continue
            }
            let topic = try topics.device(configuration.name, .reading, characteristic.topicName).description
            let isAwaited = configuration.until?.contains(characteristic.name) ?? false
            if characteristic.isNumbered {
                for number in numbers[characteristic.name] ?? [] {
                    let topic = try topics.device(
                        configuration.name, .reading, characteristic.topicName(ofNumber: number)
                    ).description
                    sources.append(
                        EntitySource(
                            characteristic, number: number, topic: topic, responseTopic: responses,
                            isAwaited: isAwaited))
                }
                continue
            }
            var state: EntityState?
            if let reference = configuration.settings.state(of: characteristic) {
                let shown = reference.characteristic
                state = EntityState(
                    reference, format: shown.meaning ?? formats[shown.name],
                    topic: try topics.device(configuration.name, .reading, shown.name).description)
            }
            sources.append(
                EntitySource(
                    characteristic, others: Array(same.dropFirst()), ownFormat: formats[characteristic.name],
                    topic: topic, responseTopic: responses, state: state, isAwaited: isAwaited))
        }
        for quantity in advertised {
            let topic = try topics.device(configuration.name, .reading, quantity.name).description
            let rules = configuration.quantityRules[quantity.name]
            let meaning = quantity.meaning(configuration.advertisements).map { rules?.converted($0) ?? $0 }
            sources.append(
                EntitySource(
                    quantity, meaning, topic: topic,
                    payload: rules?.publish?.payload ?? configuration.publish.payload, unit: rules?.unit,
                    label: configuration.quantityLabels[quantity.name],
                    fieldLabels: configuration.fieldLabels,
                    quantityField: configuration.quantityFields[quantity.name]))
        }
        for value in configuration.derivedValues {
            let topic = try topics.device(configuration.name, .reading, value.name).description
            sources.append(EntitySource(value, topic: topic))
        }
        let drafts = sources.flatMap { EntityDrafts($0).all }
        let names = EntityNames(device: configuration.name, drafts)
        entities = drafts.map { draft in
            draft.labelled(deviceIcon: configuration.label.icon).named(names.name(of: draft))
        }
        entities.append(.signalStrength(try topics.device(configuration.name, .connection)))
    }

    /// The manufacturer and the model that the formats of the advertisements show.
    private static func maker(_ advertised: [AdvertisedQuantity]) -> JSON.Object {
        let maker = advertised.lazy.compactMap { AdvertisementFormat.maker(of: $0.format, product: $0.product) }.first
        var members: JSON.Object = [:]
        members.add("manufacturer", maker?.manufacturer)
        members.add("model", maker?.model)
        members.add("model_id", maker?.modelID)
        return members
    }

    package static func identifier(ofGateway gateway: String) -> String {
        "bluefleet_gateway_\(Configuration.HomeAssistant.identifier(for: gateway))"
    }

    /// The availability of the gateway: its state topic, which is also its last will.
    package static func gatewayAvailability(_ topics: Topics) -> JSON {
        ["topic": .text(topics[.state]), "value_template": "{{ value_json.state }}"]
    }
}

extension Configuration.DeviceLabel {
    /// The label as members of `device` in Home Assistant's discovery.
    fileprivate var homeAssistant: JSON.Object {
        var members: JSON.Object = [:]
        members.add("suggested_area", area)
        members.add("manufacturer", manufacturer)
        members.add("model", model)
        return members
    }
}

extension Entity {
    /// Returns the entity that shows the signal strength of the device.
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

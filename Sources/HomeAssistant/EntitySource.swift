import Bluetooth
package import Codec
package import Configuration

/// The source of entities: one topic, and the quantities of its readings.
package struct EntitySource: Equatable, Sendable {
    package let name: String
    /// The part of the entities' keys that does not depend on configured names: the UUIDs of service and
    /// characteristic, or the name of an advertised quantity.
    package let place: [String]
    package let topic: String
    /// The quantities of a reading; nil if the format is not known.
    package let quantities: [Quantity]?
    /// Whether a reading is one value instead of named fields.
    package let hasOneValue: Bool
    /// Whether the configuration specifies the format.
    package let isOwnFormat: Bool
    package let canBeWritten: Bool
    /// Whether readings arrive without a command.
    package let isObserved: Bool
    package let isRetained: Bool
    package let payload: Configuration.PublishRules.Payload
    /// The unit that the configuration sets for the only value.
    package let unit: String?
    package let deviceClass: String?
    package let label: Configuration.EntityLabel?
    /// The number of the question whose answers are the readings; nil: it has none.
    let number: Int?
    /// How Home Assistant shows single quantities, by their names.
    package let fieldLabels: [String: Configuration.FieldLabel]
    /// The configured or described format; nil if it is not known, and for advertised quantities.
    package let format: Format?
    /// The values of another characteristic that are the state of this one; nil: its own values, or the last accepted one.
    package let state: EntityState?
    /// The topic of the responses to written values; nil if the source cannot be written.
    package let responseTopic: String?
    /// Whether the readings come from advertisements.
    package let isAdvertised: Bool

    /// The name in the names of entities.
    package var title: String {
        guard let title = label?.title else { return name }
        return number.map { "\(title) \($0)" } ?? title
    }

    /// The only quantity of a reading; nil if there are several, or the format is not known.
    package var onlyQuantity: Quantity? { hasOneValue ? quantities?.first : nil }
}

extension EntitySource {
    /// - Parameters:
    ///   - characteristic: the characteristic in the configuration.
    ///   - others: further entries with the same name in topics.
    ///   - number: the number of the question whose answers are the readings; nil: it has none.
    ///   - ownFormat: the format that the device describes, if neither the configuration nor the SIG specifies one.
    ///   - topic: the topic of its readings.
    ///   - responseTopic: the topic of the responses to written values.
    ///   - state: the values of another characteristic that are its state; nil: none.
    ///   - isAwaited: whether `until` names the characteristic.
    package init(
        _ characteristic: Configuration.Characteristic, others: [Configuration.Characteristic] = [],
        number: Int? = nil, ownFormat: Format? = nil, topic: String, responseTopic: String, state: EntityState? = nil,
        isAwaited: Bool
    ) {
        let format = characteristic.writtenFormat ?? ownFormat
        let ownName = number.map { characteristic.topicName(ofNumber: $0) } ?? characteristic.topicName
        name = ownName
        self.number = number
        let instance = characteristic.instance > 1 ? "-\(characteristic.instance)" : ""
        let uuids = [characteristic.service?.description, characteristic.uuid.description + instance]
        // Several questions use one characteristic.
        place = (characteristic.isExchange ? ["ask", ownName] : uuids).compactMap { $0?.lowercased() }
        self.topic = topic
        let known = format?.quantities
        let further = others.flatMap { $0.meaning?.quantities ?? [] }.filter { quantity in
            !(known ?? []).contains { $0.name == quantity.name }
        }
        quantities = known.map { $0 + further }
        let isOneField = characteristic.isExchange && characteristic.write != nil && known?.count == 1
        hasOneValue = isOneField || format?.hasOneValue ?? false
        isOwnFormat = characteristic.format != nil || characteristic.isExchange
        canBeWritten = characteristic.write != nil
        isObserved = characteristic.subscribe || characteristic.read != nil || isAwaited
        isRetained = characteristic.retain
        payload = characteristic.publish.payload
        unit = characteristic.unit
        deviceClass = characteristic.deviceClass
        label = characteristic.label
        fieldLabels = characteristic.fieldLabels
        isAdvertised = false
        self.format = format
        self.state = canBeWritten ? state : nil
        self.responseTopic = canBeWritten ? responseTopic : nil
    }

    /// - Parameters:
    ///   - advertised: the advertised quantity.
    ///   - meaning: the definition of the quantity; nil if the format has none.
    ///   - topic: the topic of its readings.
    ///   - payload: the form of the payload.
    ///   - unit: the unit to which the values are converted; nil: that of the quantity.
    ///   - label: how Home Assistant shows the quantity; nil: by its name.
    ///   - fieldLabels: how Home Assistant shows the values of configured formats, by their names.
    ///   - quantityField: the classes and the precision of the quantity, which replace those of its field.
    package init(
        _ advertised: AdvertisedQuantity, _ meaning: Quantity?, topic: String,
        payload: Configuration.PublishRules.Payload, unit: String? = nil, label: Configuration.EntityLabel? = nil,
        fieldLabels: [String: Configuration.FieldLabel] = [:],
        quantityField: Configuration.FieldLabel? = nil
    ) {
        name = advertised.name
        number = nil
        place = ["advertised", Configuration.HomeAssistant.identifier(for: advertised.name)]
        self.topic = topic
        quantities = meaning.map { [$0] }
        hasOneValue = true
        isOwnFormat = advertised.format == AdvertisementFormat.own
        canBeWritten = false
        isObserved = true
        isRetained = !advertised.isEvent
        self.payload = payload
        self.unit = unit
        deviceClass = nil
        self.label = label
        var labels = isOwnFormat ? fieldLabels : [:]
        if let quantityField { labels[advertised.name] = quantityField.merged(over: labels[advertised.name]) }
        self.fieldLabels = labels
        isAdvertised = true
        format = nil
        state = nil
        responseTopic = nil
    }

    /// - Parameters:
    ///   - derived: the derived value in the configuration.
    ///   - topic: the topic of its readings.
    package init(_ derived: Configuration.DerivedValue, topic: String) {
        name = derived.name
        number = nil
        place = ["derived", Configuration.HomeAssistant.identifier(for: derived.name)]
        self.topic = topic
        quantities = [
            Quantity(
                name: derived.name, form: derived.formula.isCondition ? .boolean : .number, unit: derived.unit,
                kind: nil, range: nil, step: derived.formula.isExact ? nil : Decimal(1, exponent: -2))
        ]
        hasOneValue = true
        isOwnFormat = true
        canBeWritten = false
        isObserved = true
        isRetained = true
        payload = derived.publish.payload
        unit = nil
        deviceClass = nil
        label = derived.label
        fieldLabels = derived.fieldLabel.map { [derived.name: $0] } ?? [:]
        isAdvertised = false
        format = nil
        state = nil
        responseTopic = nil
    }
}

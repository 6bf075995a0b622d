package import Codec
import Configuration
import JSON
import System

/// Entities that show readings.
extension EntityDrafts {
    package var sensors: [EntityDraft] {
        guard let quantities = source.quantities else { return [text(of: nil, isDiagnostic: true)] }
        return quantities.compactMap { sensor(of: $0, among: quantities) }
    }

    private func sensor(of quantity: Quantity, among others: [Quantity]) -> EntityDraft? {
        switch quantity.form {
        case .boolean: truth(of: quantity)
        case .number where BinaryClasses.own.contains(configuredClass(of: quantity) ?? ""): truth(of: quantity)
        case .number: number(of: quantity, among: others)
        case .named(let names): source.isRetained ? name(of: quantity, names) : event(of: quantity, names)
        case .date: moment(of: quantity, "date")
        case .timestamp: moment(of: quantity, "timestamp")
        // Texts that the SIG defines describe the device, for example its manufacturer.
        case .text, .dateTime: text(of: quantity, isDiagnostic: !source.isOwnFormat)
        case .bytes: text(of: quantity, isDiagnostic: true)
        // The state of an entity cannot hold several values.
        case .list, .record: nil
        }
    }

    /// Returns the device class that the configuration sets for the only value of a reading or for the field; nil: none.
    private func configuredClass(of quantity: Quantity) -> String? {
        (source.onlyQuantity == nil ? nil : source.deviceClass) ?? source.fieldLabels[quantity.name]?.deviceClass
    }

    private func number(of quantity: Quantity, among others: [Quantity]) -> EntityDraft {
        let traits = SensorTraits(quantity, of: source, isOnly: source.onlyQuantity != nil)
        var members = basis(of: quantity, numberTemplate(quantity, traits, among: others))
        members.add("device_class", traits.deviceClass)
        members.add("state_class", traits.stateClass)
        members.add("unit_of_measurement", traits.unit)
        let isConfigured = source.fieldLabels[quantity.name]?.precision != nil
        if traits.deviceClass != nil || traits.unit != nil || isConfigured, let precision = traits.precision {
            members["suggested_display_precision"] = .number(precision)
        }
        if traits.isDiagnostic { markDiagnostic(&members, quantity) }
        return EntityDraft(.sensor, subject(of: quantity), members)
    }

    /// Marks an entity as a fact about the device.
    ///
    /// Facts in advertisements, such as an address or a packet counter, are not enabled: they change with each packet, or
    /// never.
    private func markDiagnostic(_ members: inout JSON.Object, _ quantity: Quantity?) {
        members["entity_category"] = "diagnostic"
        let isFact = [nil, .signalStrength].contains(quantity?.kind)
        if source.isAdvertised, !source.isOwnFormat, isFact { members["enabled_by_default"] = false }
    }

    /// Returns the template that shows a number in the unit of the entity.
    package func numberTemplate(_ quantity: Quantity, _ traits: SensorTraits, among others: [Quantity]) -> String {
        let template = template(quantity)
        if let factor = traits.factor {
            return template.number(by: "x * \(factor)", digits: traits.precision ?? 3)
        }
        // Another field of the reading contains the name of the unit.
        if let unit = quantity.unit, let other = quantity.otherUnit,
            let conversion = UnitConversion(from: other, to: unit),
            let teller = others.first(where: { $0.names.contains(unit) && $0.names.contains(other) })
        {
            return template.number(
                by: conversion.formula, digits: 3, if: ValueTemplate.condition(teller.name, is: other))
        }
        return template.number
    }

    private func truth(of quantity: Quantity) -> EntityDraft {
        var members = basis(of: quantity, template(quantity).truth)
        let deviceClass = configuredClass(of: quantity) ?? quantity.homeAssistant?.deviceClass
        let isKnown = deviceClass.map(BinaryClasses.all.contains) ?? false
        members.add("device_class", isKnown ? deviceClass : nil)
        return EntityDraft(.binarySensor, subject(of: quantity), members)
    }

    private func name(of quantity: Quantity, _ names: [String]) -> EntityDraft {
        var members = basis(of: quantity, template(quantity).name)
        members["device_class"] = "enum"
        members["options"] = .array(names.distinct.map { .string($0) })
        return EntityDraft(.sensor, subject(of: quantity), members)
    }

    /// Returns the entity for a named value that is not retained, which is an event.
    private func event(of quantity: Quantity, _ names: [String]) -> EntityDraft {
        var members = basis(of: quantity, template(quantity).event)
        // Packets without an event have the name `none`. Several numbers of an event may have the same name.
        let types = names.filter { $0 != ValueTemplate.noEvent }
        members["event_types"] = .array(types.distinct.map { .string($0) })
        return EntityDraft(.event, subject(of: quantity), members)
    }

    private func moment(of quantity: Quantity, _ deviceClass: String) -> EntityDraft {
        var members = basis(of: quantity, template(quantity).text)
        members["device_class"] = .string(deviceClass)
        return EntityDraft(.sensor, subject(of: quantity), members)
    }

    private func text(of quantity: Quantity?, isDiagnostic: Bool) -> EntityDraft {
        var members = basis(of: quantity, template(quantity).text)
        if isDiagnostic { markDiagnostic(&members, quantity) }
        return EntityDraft(.sensor, subject(of: quantity), members)
    }

    private func basis(of quantity: Quantity?, _ template: String) -> JSON.Object {
        ["state_topic": .string(source.topic), "value_template": .string(template)]
    }

    private func subject(of quantity: Quantity?) -> EntitySubject {
        subject(source.onlyQuantity == nil ? quantity?.name : nil)
    }
}

extension [String] {
    /// The names without repetitions, in the same order.
    fileprivate var distinct: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Quantity {
    /// The names of the values of a named number.
    fileprivate var names: [String] {
        if case .named(let names) = form { names } else { [] }
    }
}

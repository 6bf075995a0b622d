import Codec
import Configuration
import JSON
import System

/// Entities that show readings.
extension EntityDrafts {
    package var sensors: [EntityDraft] {
        guard let quantities = source.quantities else {
            return [text(of: ShownValue(nil, of: source), isDiagnostic: true)]
        }
        return quantities.flatMap { sensors(of: ShownValue($0, of: source), $0, among: quantities) }
    }

    /// The maximum number of entities for the elements of one list.
    private static let elementLimit = 32

    /// Returns the entities of a value: one, or those of its parts, because the state of an entity is one value.
    private func sensors(of value: ShownValue, _ quantity: Quantity, among others: [Quantity] = []) -> [EntityDraft] {
        switch quantity.form {
        case .boolean: [truth(of: value, quantity)]
        case .number where BinaryClasses.own.contains(value.deviceClass ?? ""): [truth(of: value, quantity)]
        case .number: [number(of: value, quantity, among: others)]
        case .named(let names):
            [source.isRetained ? name(of: value, names) : event(of: value, names)]
        case .date: [moment(of: value, "date")]
        case .timestamp: [moment(of: value, "timestamp")]
        // Texts that the SIG defines describe the device, for example its manufacturer.
        case .text, .dateTime: [text(of: value, isDiagnostic: !source.isOwnFormat)]
        case .bytes: [text(of: value, isDiagnostic: true)]
        case .list: list(value, quantity)
        case .record: quantity.parts.flatMap { sensors(of: value.member($0), $0, among: quantity.parts) }
        }
    }

    /// Returns the entities of a list: the summary of its numbers, and each element.
    ///
    /// The elements of a list of numbers, and of a list without a fixed length, are not enabled.
    private func list(_ value: ShownValue, _ quantity: Quantity) -> [EntityDraft] {
        guard let element = quantity.parts.first else { return [] }
        let isSummarized = element.form == .number && !BinaryClasses.own.contains(value.deviceClass ?? "")
        let summary = isSummarized ? ListStatistic.allCases.map { statistic($0, of: value, element) } : []
        // The elements of a standard list without a count are a series, in which positions have no meaning.
        let count = quantity.count ?? (source.isOwnFormat ? Self.elementLimit : 0)
        let elements = (0..<min(count, Self.elementLimit)).flatMap { sensors(of: value.element($0, element), element) }
        let isEnabled = !isSummarized && quantity.hasFixedCount
        return summary
            + elements.prefix(Self.elementLimit).map { draft in
                var draft = draft
                if !isEnabled { draft.members["enabled_by_default"] = false }
                return draft
            }
    }

    private func statistic(_ statistic: ListStatistic, of value: ShownValue, _ element: Quantity) -> EntityDraft {
        var traits = traits(of: value, element)
        if statistic == .difference { traits.describeDifference(value.label) }
        let template = template(of: value).number(statistic, by: traits.factor, digits: traits.places ?? 6)
        return number(of: value.part(named: statistic.rawValue), template, traits)
    }

    private func number(of value: ShownValue, _ quantity: Quantity, among others: [Quantity]) -> EntityDraft {
        let traits = traits(of: value, quantity)
        return number(of: value, numberTemplate(quantity, traits, template(of: value), among: others), traits)
    }

    private func traits(of value: ShownValue, _ quantity: Quantity) -> SensorTraits {
        SensorTraits(quantity, of: source, isOnly: value.isOnly, label: value.label)
    }

    private func number(of value: ShownValue, _ template: String, _ traits: SensorTraits) -> EntityDraft {
        var members = basis(template)
        members.add("device_class", traits.deviceClass)
        members.add("state_class", traits.stateClass)
        members.add("unit_of_measurement", traits.unit)
        let isConfigured = value.label?.precision != nil
        if traits.deviceClass != nil || traits.unit != nil || isConfigured, let precision = traits.precision {
            members["suggested_display_precision"] = .number(precision)
        }
        if traits.isDiagnostic { markDiagnostic(&members, value.quantity) }
        return EntityDraft(.sensor, value.subject, members)
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
    private func numberTemplate(
        _ quantity: Quantity, _ traits: SensorTraits, _ template: ValueTemplate, among others: [Quantity]
    ) -> String {
        if let factor = traits.factor {
            return template.number(by: "x * \(factor)", digits: traits.precision ?? 3)
        }
        // Another field of the same record contains the name of the unit.
        if let unit = quantity.unit, let other = quantity.otherUnit,
            let conversion = UnitConversion(from: other, to: unit),
            let teller = others.first(where: { $0.names.contains(unit) && $0.names.contains(other) })
        {
            return template.number(by: conversion.formula, digits: 3, ifSibling: teller.name, is: other)
        }
        return template.number
    }

    private func truth(of value: ShownValue, _ quantity: Quantity) -> EntityDraft {
        var members = basis(template(of: value).truth)
        let deviceClass = value.deviceClass ?? quantity.homeAssistant?.deviceClass
        let isKnown = deviceClass.map(BinaryClasses.all.contains) ?? false
        members.add("device_class", isKnown ? deviceClass : nil)
        return EntityDraft(.binarySensor, value.subject, members)
    }

    private func name(of value: ShownValue, _ names: [String]) -> EntityDraft {
        var members = basis(template(of: value).name)
        members["device_class"] = "enum"
        members["options"] = .array(names.distinct.map { .string($0) })
        return EntityDraft(.sensor, value.subject, members)
    }

    /// Returns the entity for a named value that is not retained, which is an event.
    private func event(of value: ShownValue, _ names: [String]) -> EntityDraft {
        var members = basis(template(of: value).event)
        // Packets without an event have the name `none`. Several numbers of an event may have the same name.
        let types = names.filter { $0 != ValueTemplate.noEvent }
        members["event_types"] = .array(types.distinct.map { .string($0) })
        return EntityDraft(.event, value.subject, members)
    }

    private func moment(of value: ShownValue, _ deviceClass: String) -> EntityDraft {
        var members = basis(template(of: value).text)
        members["device_class"] = .string(deviceClass)
        return EntityDraft(.sensor, value.subject, members)
    }

    private func text(of value: ShownValue, isDiagnostic: Bool) -> EntityDraft {
        var members = basis(template(of: value).text)
        if isDiagnostic { markDiagnostic(&members, value.quantity) }
        return EntityDraft(.sensor, value.subject, members)
    }

    private func basis(_ template: String) -> JSON.Object {
        ["state_topic": .string(source.topic), "value_template": .string(template)]
    }

    private func template(of value: ShownValue) -> ValueTemplate {
        template(form: value.quantity?.form, field: value.subject.field, value.parts)
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

package import Codec
import Configuration
import Contract
package import JSON
import System

/// Entities for characteristics that may be written.
extension EntityDrafts {
    /// The entities that write the characteristic.
    package var controls: [EntityDraft] {
        let operations = operations
        let parts = operations.isEmpty ? fieldControls : operations
        guard !parts.isEmpty else { return [control] }
        var object = object
        // A person uses the operations or the fields; an automation may write any value. Without readings, the fields need a
        // whole value first.
        if !operations.isEmpty || source.isObserved { object.members["enabled_by_default"] = false }
        return parts + [object]
    }

    private var control: EntityDraft {
        guard source.quantities != nil else { return hexadecimal(nil) }
        // Several fields are written together, as one object.
        guard let quantity = source.onlyQuantity else { return object }
        if case .named(let names) = quantity.form, names.count == 1 { return button(names[0]) }
        return control(of: quantity) ?? object
    }

    /// An entity for each field that can be changed while the other fields keep their values.
    ///
    /// A value of the Bluetooth SIG that is only written is a command, and has no state to change.
    private var fieldControls: [EntityDraft] {
        guard source.isObserved || source.isOwnFormat, source.onlyQuantity == nil else { return [] }
        return source.format?.changeableQuantities.compactMap(control) ?? []
    }

    /// Returns the entity that writes a value or a field; nil for a list, a record and a field with only one name.
    private func control(of quantity: Quantity) -> EntityDraft? {
        switch quantity.form {
        case .boolean: return toggle(quantity)
        case .number: return number(quantity)
        case .named(let names): return names.count == 1 ? nil : choice(quantity, names)
        case .text, .date, .dateTime, .timestamp: return text(quantity)
        case .bytes: return hexadecimal(quantity)
        case .list, .record: return nil
        }
    }

    /// The name of a field among others; nil for the only value.
    private func field(_ quantity: Quantity?) -> String? { source.onlyQuantity == nil ? quantity?.name : nil }

    /// Returns the template of a written value.
    ///
    /// - Parameters:
    ///   - quantity: the value or the field.
    ///   - template: the template for the only value; nil: the value itself.
    /// - Returns: The template; nil: the value itself.
    private func command(_ quantity: Quantity?, _ template: String?) -> JSON.Object {
        command(template: field(quantity).map { ValueTemplate.object([($0, "value")]) } ?? template)
    }

    private func toggle(_ quantity: Quantity) -> EntityDraft {
        func payload(_ value: String) -> JSON {
            .string(field(quantity).map { "{\(JSON.string($0)):\(value)}" } ?? value)
        }
        var members = command(template: nil)
        members["payload_on"] = payload("true")
        members["payload_off"] = payload("false")
        members.merge(state(of: quantity) { $0.truth })
        members["state_on"] = "ON"
        members["state_off"] = "OFF"
        return EntityDraft(.switch, subject(field(quantity)), members)
    }

    private func number(_ quantity: Quantity) -> EntityDraft {
        var members = command(quantity, nil)
        // The state has the unit of the written value; a conversion would have to be reversed for the command.
        members.merge(state(of: quantity) { $0.number })
        members.merge(limits(of: quantity))
        return EntityDraft(.number, subject(field(quantity)), members)
    }

    /// Returns the members of a number for its limits, its class and its unit.
    package func limits(of quantity: Quantity) -> JSON.Object {
        let traits = SensorTraits(
            quantity, of: source, isOnly: source.onlyQuantity != nil, label: source.fieldLabels[quantity.name])
        var members: JSON.Object = [:]
        let range = quantity.range ?? Self.anyNumber
        members["min"] = .number(verbatim: range.lowerBound.description)
        members["max"] = .number(verbatim: range.upperBound.description)
        let step = source.fieldLabels[quantity.name]?.step ?? quantity.step ?? Self.leastStep
        members["step"] = .number(verbatim: max(step, Self.leastStep).description)
        if traits.factor == nil { members.add("device_class", traits.deviceClass) }
        members.add("unit_of_measurement", traits.factor == nil ? traits.unit : quantity.unit)
        return members
    }

    /// Home Assistant requires limits for every number.
    private static let anyNumber = Decimal(-1, exponent: 9)...Decimal(1, exponent: 9)
    /// The smallest step that Home Assistant accepts.
    private static let leastStep = Decimal(1, exponent: -3)

    private func choice(_ quantity: Quantity, _ names: [String]) -> EntityDraft {
        var members = command(quantity, "{{ value | tojson }}")
        members["options"] = .array(names.map { .string($0) })
        members.merge(state(of: quantity) { $0.name })
        return EntityDraft(.select, subject(field(quantity)), members)
    }

    /// Returns a button that writes the only named value of a quantity.
    private func button(_ name: String) -> EntityDraft {
        var members = command(template: nil)
        members["payload_press"] = .string(JSON.string(name).description)
        return EntityDraft(.button, command, members)
    }

    private func text(_ quantity: Quantity) -> EntityDraft {
        var members = command(quantity, "{{ value | tojson }}")
        members.merge(state(of: quantity, isText: true) { $0.text })
        if let limit = textLimit(quantity) { members["max"] = .number(min(limit, 255)) }
        return EntityDraft(.text, subject(field(quantity)), members)
    }

    /// The maximum number of characters of a text with a fixed length; nil for any other format.
    private func textLimit(_ quantity: Quantity?) -> Int? {
        let content = source.format?.fields.first { $0.name == quantity?.name }?.content
        guard case .text(let type, _, .exactly(let length)?)? = content else { return nil }
        return switch type {
        case .utf8: length
        case .utf16: length / 2
        case .bytes: length * 2
        case .uuid, .version, .compressedURL: nil
        }
    }

    /// Returns the entity that writes bytes.
    ///
    /// - Parameter quantity: the value or the field; nil if the format is not known.
    /// - Returns: The entity.
    private func hexadecimal(_ quantity: Quantity?) -> EntityDraft {
        var members = command(quantity, #"{"hex":"{{ value }}"}"#)
        members["pattern"] = "^([0-9a-fA-F]{2})*$"
        members.merge(state(of: quantity, isText: true) { $0.text })
        if let limit = textLimit(quantity) { members["max"] = .number(min(limit, 254)) }
        return EntityDraft(.text, subject(field(quantity)), members)
    }

    private var object: EntityDraft {
        let members = command(template: nil).adding(accepted(ValueTemplate.writtenObject, isText: true))
        return EntityDraft(.text, command, members)
    }

    private var command: EntitySubject {
        EntitySubject(source: source, isCommand: true)
    }

    package func command(template: String?) -> JSON.Object {
        var members: JSON.Object = ["command_topic": .string(DeviceTopicGroup.set.name(source.topic))]
        members.add("command_template", template)
        return members
    }
}

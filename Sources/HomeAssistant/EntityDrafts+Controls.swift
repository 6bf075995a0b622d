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
        guard !operations.isEmpty else { return [control] }
        // A person uses the operations; an automation may write any value.
        var object = object
        object.members["enabled_by_default"] = false
        return operations + [object]
    }

    private var control: EntityDraft {
        guard source.quantities != nil else { return hexadecimal }
        // Several fields are written together, as one object.
        guard let quantity = source.onlyQuantity else { return object }
        switch quantity.form {
        case .boolean: return toggle(quantity)
        case .number: return number(quantity)
        case .named(let names): return names.count == 1 ? button(names[0]) : choice(quantity, names)
        case .text, .date, .dateTime, .timestamp: return text(quantity)
        case .bytes: return hexadecimal
        case .list, .record: return object
        }
    }

    private func toggle(_ quantity: Quantity) -> EntityDraft {
        var members = command(template: nil)
        members["payload_on"] = "true"
        members["payload_off"] = "false"
        members.merge(state(template(quantity).truth))
        members["state_on"] = "ON"
        members["state_off"] = "OFF"
        return EntityDraft(.switch, subject(), members)
    }

    private func number(_ quantity: Quantity) -> EntityDraft {
        var members = command(template: nil)
        // The state has the unit of the written value; a conversion would have to be reversed for the command.
        members.merge(state(template(quantity).number))
        members.merge(limits(of: quantity))
        return EntityDraft(.number, subject(), members)
    }

    /// Returns the members of a number for its limits, its class and its unit.
    package func limits(of quantity: Quantity) -> JSON.Object {
        let traits = SensorTraits(quantity, of: source, isOnly: source.onlyQuantity != nil)
        var members: JSON.Object = [:]
        let range = quantity.range ?? Self.anyNumber
        members["min"] = .number(verbatim: range.lowerBound.description)
        members["max"] = .number(verbatim: range.upperBound.description)
        members["step"] = .number(verbatim: max(quantity.step ?? Self.leastStep, Self.leastStep).description)
        if traits.factor == nil { members.add("device_class", traits.deviceClass) }
        members.add("unit_of_measurement", traits.factor == nil ? traits.unit : quantity.unit)
        return members
    }

    /// Home Assistant requires limits for every number.
    private static let anyNumber = Decimal(-1, exponent: 9)...Decimal(1, exponent: 9)
    /// The smallest step that Home Assistant accepts.
    private static let leastStep = Decimal(1, exponent: -3)

    private func choice(_ quantity: Quantity, _ names: [String]) -> EntityDraft {
        var members = command(template: "{{ value | tojson }}")
        members["options"] = .array(names.map { .string($0) })
        members.merge(state(template(quantity).name))
        return EntityDraft(.select, subject(), members)
    }

    /// Returns a button that writes the only named value of a quantity.
    private func button(_ name: String) -> EntityDraft {
        var members = command(template: nil)
        members["payload_press"] = .string(JSON.string(name).description)
        return EntityDraft(.button, command, members)
    }

    private func text(_ quantity: Quantity) -> EntityDraft {
        var members = command(template: "{{ value | tojson }}")
        members.merge(state(template(quantity).text, isText: true))
        if let textLimit { members["max"] = .number(min(textLimit, 255)) }
        return EntityDraft(.text, subject(), members)
    }

    /// The maximum number of characters of a text with a fixed length; nil for any other format.
    private var textLimit: Int? {
        guard case .text(let type, _, .exactly(let length)?)? = source.format?.fields.first?.content else { return nil }
        return switch type {
        case .utf8: length
        case .utf16: length / 2
        case .bytes: length * 2
        case .uuid, .version, .compressedURL: nil
        }
    }

    private var hexadecimal: EntityDraft {
        var members = command(template: #"{"hex":"{{ value }}"}"#)
        members["pattern"] = "^([0-9a-fA-F]{2})*$"
        members.merge(state(template(source.onlyQuantity).text, isText: true))
        if let textLimit { members["max"] = .number(min(textLimit, 254)) }
        return EntityDraft(.text, subject(), members)
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

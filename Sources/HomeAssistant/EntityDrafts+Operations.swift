import Codec
import Configuration
import JSON
import System

/// Entities for the operations of a format with an op code: a named number, on which the other fields depend.
extension EntityDrafts {
    /// An entity for each operation without an argument or with one; empty for a format without an op code.
    package var operations: [EntityDraft] {
        guard let format = source.format, source.onlyQuantity == nil, let code = source.quantities?.first,
            case .named(let names) = code.form
        else { return [] }
        let arguments = format.conditionalQuantities
        return names.compactMap { name in
            let operation = Operation(code: code.name, name: name)
            if operation.isComplete(in: format) { return button(operation) }
            return arguments.lazy.filter { operation.isComplete(with: $0, in: format) }.first
                .flatMap { entity(operation, $0) }
        }
    }

    private func subject(_ operation: Operation) -> EntitySubject {
        EntitySubject(source: source, field: operation.name, isCommand: true)
    }

    private func button(_ operation: Operation) -> EntityDraft {
        var members = command(template: nil)
        members["payload_press"] = .string(operation.payload)
        return EntityDraft(.button, subject(operation), members)
    }

    /// Returns the entity that sends an operation with its argument; nil if no platform suits the argument.
    private func entity(_ operation: Operation, _ argument: Quantity) -> EntityDraft? {
        // An operation cannot be read: its state is the last accepted argument, unless another characteristic reports it.
        let template = ValueTemplate(.response, field: argument.name, form: argument.form)
        switch argument.form {
        case .number:
            var members = command(template: operation.template(argument))
            members.merge(limits(of: argument))
            members.merge(state(of: argument, operation, template) { $0.number })
            return EntityDraft(.number, subject(operation), members)
        case .named(let names):
            var members = command(template: operation.template(argument))
            members["options"] = .array(names.map { .string($0) })
            members.merge(state(of: argument, operation, template) { $0.name })
            return EntityDraft(.select, subject(operation), members)
        case .boolean:
            var members = command(template: nil)
            members["payload_on"] = .string(operation.payload(argument, "true"))
            members["payload_off"] = .string(operation.payload(argument, "false"))
            members.merge(state(of: argument, operation, template) { $0.truth })
            members["state_on"] = "ON"
            members["state_off"] = "OFF"
            return EntityDraft(.switch, subject(operation), members)
        case .text:
            var members = command(template: operation.template(argument))
            members.merge(state(of: argument, operation, template, isText: true) { $0.text })
            return EntityDraft(.text, subject(operation), members)
        case .bytes, .date, .dateTime, .timestamp, .list, .record: return nil
        }
    }

    private func state(
        of argument: Quantity, _ operation: Operation, _ template: ValueTemplate, isText: Bool = false,
        _ show: (ValueTemplate) -> String
    ) -> JSON.Object {
        reported(argument, isOnly: false, show)
            ?? accepted(
                show(template), if: ValueTemplate.written(operation.code, is: operation.name), isText: isText)
    }
}

/// An operation of a format with an op code.
private struct Operation {
    /// The name of the op code.
    let code: String
    /// The name of the operation.
    let name: String

    /// The payload of the operation without an argument.
    var payload: String { "{\(member)}" }

    /// Returns the Jinja template for the payload of the operation with the argument `value`.
    func template(_ argument: Quantity) -> String {
        ValueTemplate.object([(code, ValueTemplate.quoted(name)), (argument.name, "value")])
    }

    /// Returns the payload of the operation with an argument in JSON.
    func payload(_ argument: Quantity, _ value: String) -> String {
        "{\(member),\(JSON.string(argument.name)):\(value)}"
    }

    private var member: String { "\(JSON.string(code)):\(JSON.string(name))" }

    /// Returns whether the op code and the argument are a complete value.
    func isComplete(with argument: Quantity? = nil, in format: Format) -> Bool {
        var record = Record([(code, .string(name))])
        if let argument { record[argument.name] = argument.sample }
        return (try? format.encode(.record(record))) != nil
    }
}

extension Quantity {
    /// A value that can be written.
    fileprivate var sample: Value {
        switch form {
        case .boolean: .boolean(true)
        case .number: .number(range?.lowerBound ?? 0)
        case .named(let names): .string(names.first ?? "")
        case .text, .bytes, .date, .dateTime, .timestamp, .list, .record: .string("")
        }
    }
}

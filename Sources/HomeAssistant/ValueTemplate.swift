package import Codec
package import Configuration
import System

/// A Jinja template that extracts one quantity from the payload of its topic (Home Assistant's `value_template`).
///
/// An unknown value becomes `None`, which Home Assistant shows as unknown. A number or truth value that is missing in
/// a reading becomes an empty text; the entity then keeps its state.
package struct ValueTemplate: Equatable, Sendable {
    /// The expression for the value.
    private let value: String
    /// The expression for the object or the list that contains the value.
    private let container: String
    /// Whether the quantity may be missing in a reading.
    private let isOptional: Bool
    /// The maximum length of the state of an entity: 255 characters, or 254 for hexadecimal digits, which form pairs.
    private let limit: Int

    /// The messages that contain the quantity.
    package enum Origin {
        case reading(Configuration.PublishRules.Payload)
        /// The responses to written values.
        case response
    }

    /// - Parameters:
    ///   - origin: the messages that contain the quantity.
    ///   - field: the name of the field; nil for the only value of a reading.
    ///   - parts: the steps from the value to a part of a list or of a record.
    ///   - form: the form of the values; nil if it is not known.
    package init(_ origin: Origin, field: String?, parts: [ValuePart] = [], form: Quantity.Form?) {
        isOptional = field != nil || !parts.isEmpty
        limit = form == .bytes || form == nil ? 254 : 255
        let whole: String
        switch (origin, field) {
        // A field may have the name of a method of Python's dictionaries, e.g. `values`; hence the subscript.
        case (.reading, let field?): whole = "value_json[\(Self.quoted(field))]"
        case (.reading(.json), nil): whole = "value_json.value"
        case (.reading(.value), nil):
            whole = !parts.isEmpty || Self.isJSON(form) ? "value_json" : "(none if value == 'null' else value)"
        case (.response, let field?): whole = "value_json.data.value[\(Self.quoted(field))]"
        // Without a format, a value has only bytes.
        case (.response, nil): whole = form == nil ? "value_json.data.hex" : "value_json.data.value"
        }
        var (value, container) = (whole, "value_json")
        for part in parts {
            // Jinja reports an error for a part of a missing value, but not for a missing part.
            container = "(\(value) | default({}))"
            value = "\(container)[\(part.key)]"
        }
        self.value = value
        self.container = container
    }

    /// Returns a template for the responses to written values, which keeps the state after a response that does not matter.
    ///
    /// - Parameters:
    ///   - characteristic: the characteristic whose responses matter: those of all characteristics have the same topic.
    ///   - condition: a further Jinja condition; nil: none.
    ///   - template: the template for the state after the device has accepted the value.
    ///   - isText: whether the entity is a text: only a text entity takes an empty result as its state.
    /// - Returns: the template.
    package static func response(
        of characteristic: String, if condition: String?, _ template: String, isText: Bool
    ) -> String {
        let test = "(value_json.data | default({})).characteristic | default('') == \(quoted(characteristic))"
        let tests = [test, condition].compactMap { $0 }.joined(separator: " and ")
        let unknown = "['unknown', 'unavailable']"
        let other = isText ? "{% else %}{{ '' if this.state in \(unknown) else this.state }}" : ""
        return "{% if \(tests) %}\(template)\(other){% endif %}"
    }

    /// Whether the bare value is JSON instead of text.
    private static func isJSON(_ form: Quantity.Form?) -> Bool {
        switch form {
        case .boolean, .number, .list, .record: true
        case .text, .bytes, .date, .dateTime, .timestamp, .named, nil: false
        }
    }

    /// Returns a Jinja template for a JSON object; each value is a Jinja expression.
    ///
    /// Names are quoted strings of an expression, so that a name that contains Jinja is not evaluated.
    package static func object(_ members: [(name: String, expression: String)]) -> String {
        let pairs = members.map { "\(quoted($0.name)): \($0.expression)" }
        return "{{ {\(pairs.joined(separator: ", "))} | tojson }}"
    }

    /// Returns a Jinja expression for a text.
    package static func quoted(_ text: String) -> String {
        var result = "'"
        for character in text {
            if character == "'" || character == "\\" { result.append("\\") }
            result.append(character)
        }
        return result + "'"
    }

    /// A number without conversion.
    package var number: String {
        isOptional ? "{{ \(value) | default('') }}" : "{{ \(value) }}"
    }

    /// A number in another unit.
    ///
    /// - Parameters:
    ///   - formula: a Jinja expression of the value `x`.
    ///   - digits: the number of decimal places to which the result is rounded.
    /// - Returns: The template.
    package func number(by formula: String, digits: Int) -> String {
        number(by: formula, digits: digits, if: "x is number")
    }

    /// A number that is converted while another member of the same record has a value.
    ///
    /// - Parameters:
    ///   - formula: a Jinja expression of the value `x`.
    ///   - digits: the number of decimal places to which the result is rounded.
    ///   - name: the name of the other member.
    ///   - text: the value of the other member with which the conversion applies.
    /// - Returns: The template.
    package func number(by formula: String, digits: Int, ifSibling name: String, is text: String) -> String {
        let condition = "\(container)[\(Self.quoted(name))] == \(Self.quoted(text))"
        return number(by: formula, digits: digits, if: "x is number and \(condition)")
    }

    private func number(by formula: String, digits: Int, if condition: String) -> String {
        let other = isOptional ? "x | default('')" : "x"
        return "{% set x = \(value) %}{{ (\(formula)) | round(\(digits)) if \(condition) else \(other) }}"
    }

    /// A number that summarizes a list of numbers; elements that are unknown do not count.
    ///
    /// - Parameters:
    ///   - statistic: how the numbers are summarized.
    ///   - factor: the factor that converts the result to the unit of the entity; nil: 1.
    ///   - digits: the number of decimal places to which a calculated result is rounded.
    /// - Returns: The template.
    package func number(_ statistic: ListStatistic, by factor: Decimal?, digits: Int) -> String {
        var result = "(\(statistic.expression))"
        if let factor { result = "(\(result) * \(factor))" }
        if factor != nil || statistic == .difference { result += " | round(\(digits))" }
        let other = isOptional ? "'' if \(value) is undefined else none" : "none"
        // Home Assistant logs a warning for a filter of a missing value, and an error for a filter of none.
        let list = "\(value) | default([], true)"
        return "{% set x = \(list) | select('number') | list %}{{ \(result) if x else \(other) }}"
    }

    /// The JSON of a value with several fields, cut to the maximum length of the state of an entity.
    package static let writtenObject = "{{ (value_json.data.value | tojson)[:255] }}"

    /// Returns the Jinja condition that a field of a written value has this value.
    package static func written(_ field: String, is text: String) -> String {
        "value_json.data.value[\(quoted(field))] == \(quoted(text))"
    }

    /// A truth value as `ON` or `OFF`.
    package var truth: String {
        let absent = isOptional ? "'' if x is undefined else " : ""
        return "{% set x = \(value) %}{{ \(absent)'None' if x is none else 'ON' if x else 'OFF' }}"
    }

    /// A named value; a number without a name is unknown.
    package var name: String {
        "{% set x = \(value) %}{{ x if x is string else 'None' }}"
    }

    /// A text, cut to `limit` characters: Home Assistant rejects a longer state.
    package var text: String {
        let present = isOptional ? "\(value) | default('None')" : value
        return "{{ (\(present) | string)[:\(limit)] }}"
    }

    /// The name of the value that means that there is no event.
    package static let noEvent = "none"

    /// A named value as an event (Home Assistant's platform `event`).
    package var event: String {
        "{% set x = \(value) %}{{ {'event_type': x} | tojson if x is string and x != '\(Self.noEvent)' }}"
    }
}

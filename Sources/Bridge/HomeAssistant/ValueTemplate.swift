import Codec
import Configuration
import System

/// A Jinja template that extracts one quantity from the payload of its topic (Home Assistant's `value_template`).
///
/// An unknown value becomes `None`, which Home Assistant shows as unknown. A number or truth value that is missing in
/// a reading becomes an empty text; the entity then keeps its state.
struct ValueTemplate: Equatable, Sendable {
    /// The expression for the value.
    private let value: String
    /// Whether the quantity may be missing in a reading.
    private let isOptional: Bool
    /// The maximum length of the state of an entity: 255 characters, or 254 for hexadecimal digits, which form pairs.
    private let limit: Int

    /// - Parameters:
    ///   - field: the name of the field; nil for the only value of a reading.
    ///   - form: the form of the values; nil if it is not known.
    ///   - payload: the form of the payload.
    init(field: String?, form: Quantity.Form?, payload: Configuration.PublishRules.Payload) {
        isOptional = field != nil
        limit = form == .bytes || form == nil ? 254 : 255
        switch (field, payload) {
        // A field may have the name of a method of Python's dictionaries, e.g. `values`; hence the subscript.
        case (let field?, _): value = "value_json[\(Self.quoted(field))]"
        case (nil, .json): value = "value_json.value"
        case (nil, .value): value = Self.isJSON(form) ? "value_json" : "(none if value == 'null' else value)"
        }
    }

    /// Whether the bare value is JSON instead of text.
    private static func isJSON(_ form: Quantity.Form?) -> Bool {
        switch form {
        case .boolean, .number, .list, .record: true
        case .text, .bytes, .date, .dateTime, .timestamp, .named, nil: false
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "'"
        for character in text {
            if character == "'" || character == "\\" { result.append("\\") }
            result.append(character)
        }
        return result + "'"
    }

    /// A number without conversion.
    var number: String {
        isOptional ? "{{ \(value) | default('') }}" : "{{ \(value) }}"
    }

    /// A number in another unit.
    ///
    /// - Parameters:
    ///   - formula: a Jinja expression of the value `x`.
    ///   - digits: the number of decimal places to which the result is rounded.
    ///   - condition: a Jinja condition; nil: the conversion always applies.
    /// - Returns: The template.
    func number(by formula: String, digits: Int, if condition: String? = nil) -> String {
        let test = ["x is number", condition].compactMap { $0 }.joined(separator: " and ")
        let other = isOptional ? "x | default('')" : "x"
        return "{% set x = \(value) %}{{ (\(formula)) | round(\(digits)) if \(test) else \(other) }}"
    }

    /// Returns the Jinja condition that another field of the same reading has this value.
    static func condition(_ field: String, is text: String) -> String {
        "value_json[\(quoted(field))] == \(quoted(text))"
    }

    /// A truth value as `ON` or `OFF`.
    var truth: String {
        let absent = isOptional ? "'' if x is undefined else " : ""
        return "{% set x = \(value) %}{{ \(absent)'None' if x is none else 'ON' if x else 'OFF' }}"
    }

    /// A named value; a number without a name is unknown.
    var name: String {
        "{% set x = \(value) %}{{ x if x is string else 'None' }}"
    }

    /// A text, cut to `limit` characters: Home Assistant rejects a longer state.
    var text: String {
        let present = isOptional ? "\(value) | default('None')" : value
        return "{{ (\(present) | string)[:\(limit)] }}"
    }

    /// A named value as an event (Home Assistant's platform `event`).
    var event: String {
        "{% set x = \(value) %}{{ {'event_type': x} | tojson if x is string }}"
    }
}

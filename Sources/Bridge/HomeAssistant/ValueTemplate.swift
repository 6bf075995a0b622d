internal import Codec
internal import Configuration

/// Takes one quantity out of the payload of its topic, in Jinja (Home Assistant's `value_template`).
///
/// What is not known becomes `None`, which Home Assistant shows as unknown. A number or a truth that is not in this
/// reading becomes an empty text, at which its entity keeps its state.
struct ValueTemplate: Equatable, Sendable {
    /// The expression that is the value.
    private let value: String
    /// Whether a reading may come without it.
    private let isOptional: Bool
    /// How many characters of a text the state of an entity holds; of hexadecimal digits, how many are whole bytes.
    private let limit: Int

    /// - Parameter field: its name; nil for the one value of a reading.
    init(field: String?, kind: Quantity.Kind?, payload: Configuration.PublishRules.Payload) {
        isOptional = field != nil
        limit = kind == .bytes || kind == nil ? 254 : 255
        switch (field, payload) {
        // By subscript: after a dot, a field called `values` would be a method of Python's dictionaries.
        case (let field?, _): value = "value_json[\(Self.quoted(field))]"
        case (nil, .json): value = "value_json.value"
        case (nil, .value): value = Self.isJSON(kind) ? "value_json" : "(none if value == 'null' else value)"
        }
    }

    /// Whether the bare value is JSON and not mere text.
    private static func isJSON(_ kind: Quantity.Kind?) -> Bool {
        switch kind {
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

    /// A number as it is.
    var number: String {
        isOptional ? "{{ \(value) | default('') }}" : "{{ \(value) }}"
    }

    /// A number in another unit.
    ///
    /// - Parameters:
    ///   - formula: of Jinja, for the value `x`.
    ///   - digits: how many decimal places are left of the binary fraction that comes of it.
    ///   - condition: of Jinja; nil: in any case.
    func number(by formula: String, digits: Int, if condition: String? = nil) -> String {
        let test = ["x is number", condition].compactMap { $0 }.joined(separator: " and ")
        let other = isOptional ? "x | default('')" : "x"
        return "{% set x = \(value) %}{{ (\(formula)) | round(\(digits)) if \(test) else \(other) }}"
    }

    /// That another field of the same reading has this value.
    static func condition(_ field: String, is text: String) -> String {
        "value_json[\(quoted(field))] == \(quoted(text))"
    }

    /// `ON` or `OFF`.
    var truth: String {
        let absent = isOptional ? "'' if x is undefined else " : ""
        return "{% set x = \(value) %}{{ \(absent)'None' if x is none else 'ON' if x else 'OFF' }}"
    }

    /// One of several names; a number that has none is not known.
    var name: String {
        "{% set x = \(value) %}{{ x if x is string else 'None' }}"
    }

    /// A text, as much of it as the state of an entity holds.
    var text: String {
        let present = isOptional ? "\(value) | default('None')" : value
        return "{{ (\(present) | string)[:\(limit)] }}"
    }

    /// The name as what happened (Home Assistant's platform `event`).
    var event: String {
        "{% set x = \(value) %}{{ {'event_type': x} | tojson if x is string }}"
    }
}

internal import CJSON

extension JSON: CustomStringConvertible {
    /// The value as compact JSON.
    package var description: String {
        text(JSON_C_TO_STRING_PLAIN)
    }

    /// The value as JSON for people: indented, one member a line.
    package var prettyDescription: String {
        text(JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED)
    }

    private func text(_ style: Int32) -> String {
        let tree = tree()
        defer { json_object_put(tree) }
        var length = 0
        let text = json_object_to_json_string_length(tree, style | JSON_C_TO_STRING_NOSLASHESCAPE, &length)
        return String(decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self)
    }

    /// The value as a tree of json-c, which the caller releases; null is no object at all.
    private func tree() -> OpaquePointer? {
        switch self {
        case .null: return nil
        case .bool(let value): return json_object_new_boolean(value ? 1 : 0)
        // With a text of its own json-c writes a number as that text; the value is never looked at.
        case .number(let number): return json_object_new_double_s(0, number.text)
        case .string(var text):
            return text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) { json_object_new_string_len($0.baseAddress, Int32($0.count)) }
            }
        case .array(let elements):
            let array = json_object_new_array()
            for element in elements {
                json_object_array_add(array, element.tree())
            }
            return array
        case .object(let members):
            let object = json_object_new_object()
            for member in members {
                json_object_object_add(object, member.name, member.value.tree())
            }
            return object
        }
    }
}

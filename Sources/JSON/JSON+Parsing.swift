import CJSON

extension JSON {
    /// Parses a text; see `init(parsing:limit:depth:)` for bytes.
    ///
    /// - Throws: `JSONError` for anything except one complete value.
    package init(parsing text: String, limit: Int = 1 << 20, depth: Int = 32) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), limit: limit, depth: depth)
    }

    /// Parses bytes in UTF-8, which must contain exactly one JSON value.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - limit: The greatest length in bytes.
    ///   - depth: The greatest number of levels, including that of numbers and strings.
    /// - Throws: `JSONError` for text that is not JSON or exceeds a limit, for an object with two members of the same
    ///   name, and for a string with NUL or half of a surrogate pair.
    package init(parsing bytes: [UInt8], limit: Int = 1 << 20, depth: Int = 32) throws(JSONError) {
        guard bytes.count <= limit else {
            throw JSONError(
                offset: limit, reason: "the text is longer than \(limit) bytes", isUnsupported: true)
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw JSONError(offset: 0, reason: "the text is not UTF-8")
        }
        let found = try TokenScanner.scan(bytes)
        let tree = try Self.tree(of: found.text, depth)
        defer { json_object_put(tree) }
        var numbers = found.numbers.makeIterator()
        self.init(tree, &numbers)
        guard memberCount == found.memberCount else {
            throw JSONError(offset: 0, reason: "an object has two members with the same name")
        }
    }

    private static func tree(of bytes: [UInt8], _ depth: Int) throws(JSONError) -> OpaquePointer? {
        guard let tokener = json_tokener_new_ex(Int32(depth)) else {
            preconditionFailure("out of memory: cannot create a JSON parser")
        }
        defer { json_tokener_free(tokener) }
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT)
        let escaped = EscapedText(bytes)
        // json-c needs the zero byte to detect the end of a number at the end of the text.
        let text = escaped.bytes.map { CChar(bitPattern: $0) } + [0]
        let tree = json_tokener_parse_ex(tokener, text, Int32(text.count))
        let outcome = json_tokener_get_error(tokener)
        guard outcome == json_tokener_success else {
            let problem =
                outcome == json_tokener_continue
                ? "the text ends early" : String(cString: json_tokener_error_desc(outcome))
            let end = json_tokener_get_parse_end(tokener)
            let isAfterComma = escaped.bytes.prefix(end).last { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: ",")
            throw JSONError(
                offset: escaped.originalOffset(of: end),
                reason: isAfterComma && end < escaped.bytes.count
                    ? "a value or a name must follow the comma: remove the comma, or add it"
                    : advice[problem] ?? problem,
                isUnsupported: outcome == json_tokener_error_depth)
        }
        return tree
    }

    /// The reasons that replace those of json-c, by the text of json-c's reason.
    private static let advice = [
        "quoted object property name expected": "names and strings need double quotation marks",
        "object property name separator ':' expected": "expected ':' after the name",
        "object value separator ',' expected": "expected ',' or '}' after the value",
        "array value separator ',' expected": "expected ',' or ']' after the value",
        "unexpected character": "a value is missing here, or a text without double quotation marks",
        "boolean expected": "a text needs double quotation marks",
        "null expected": "a text needs double quotation marks",
        "unexpected end of data": "the text ends early: a value, bracket or brace is missing",
    ]

    /// Copies a tree of json-c.
    ///
    /// - Parameters:
    ///   - tree: The tree; nil represents null.
    ///   - numbers: The texts of the numbers, in order; json-c has only their values, in 64 bits.
    private init(_ tree: OpaquePointer?, _ numbers: inout IndexingIterator<[String]>) {
        switch json_object_get_type(tree) {
        case json_type_boolean: self = .bool(json_object_get_boolean(tree) != 0)
        case json_type_int, json_type_double:
            guard let text = numbers.next() else {
                preconditionFailure("json-c has parsed more numbers than the text contains")
            }
            self = .number(verbatim: text)
        case json_type_string:
            let text = UnsafeRawBufferPointer(
                start: json_object_get_string(tree), count: Int(json_object_get_string_len(tree)))
            self = .string(String(decoding: text, as: UTF8.self))
        case json_type_array:
            let elements = 0..<json_object_array_length(tree)
            self = .array(elements.map { JSON(json_object_array_get_idx(tree, $0), &numbers) })
        case json_type_object: self = .object(Self.members(of: tree, &numbers))
        default: self = .null
        }
    }

    private static func members(of tree: OpaquePointer?, _ numbers: inout IndexingIterator<[String]>) -> Object {
        // json-c keeps one member for each name.
        var members: [Object.Member] = []
        var member = json_object_iter_begin(tree)
        var end = json_object_iter_end(tree)
        while json_object_iter_equal(&member, &end) == 0 {
            let name = String(cString: json_object_iter_peek_name(&member))
            members.append(Object.Member(name: name, value: JSON(json_object_iter_peek_value(&member), &numbers)))
            json_object_iter_next(&member)
        }
        return Object(distinct: members)
    }

    /// The number of members of all objects in this value, at all depths.
    private var memberCount: Int {
        switch self {
        case .object(let object): object.reduce(object.count) { $0 + $1.value.memberCount }
        case .array(let array): array.reduce(0) { $0 + $1.memberCount }
        default: 0
        }
    }
}

extension JSON {
    /// The version of json-c in use.
    package static var libraryVersion: String {
        String(cString: json_c_version())
    }
}

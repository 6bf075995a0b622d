internal import CJSON

extension JSON {
    /// Reads the JSON that `text` is.
    ///
    /// - Throws: `JSONError` for anything but one whole value; see `init(parsing:limit:depth:)` for bytes.
    package init(parsing text: String, limit: Int = 1 << 20, depth: Int = 32) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), limit: limit, depth: depth)
    }

    /// Reads the JSON that `bytes` are: one value, in UTF-8, and nothing else.
    ///
    /// - Parameters:
    ///   - limit: The length in bytes beyond which the text is refused.
    ///   - depth: How many levels it may have, with that of numbers and texts.
    /// - Throws: `JSONError` for anything but JSON, and for what is JSON but nothing to rely on: two members of one
    ///   name, halves of characters.
    package init(parsing bytes: [UInt8], limit: Int = 1 << 20, depth: Int = 32) throws(JSONError) {
        guard bytes.count <= limit else {
            throw JSONError(
                offset: limit, reason: "the text is longer than \(limit) bytes", isUnsupported: true)
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw JSONError(offset: 0, reason: "the text is not UTF-8")
        }
        let found = try Scanner.scan(bytes)
        let tree = try Self.tree(of: found.text, depth)
        defer { json_object_put(tree) }
        var numbers = found.numbers.makeIterator()
        self.init(tree, &numbers)
        guard memberCount == found.memberCount else {
            throw JSONError(offset: 0, reason: "an object has two members of one name")
        }
    }

    private static func tree(of bytes: [UInt8], _ depth: Int) throws(JSONError) -> OpaquePointer? {
        guard let tokener = json_tokener_new_ex(Int32(depth)) else { preconditionFailure("no memory for a parser") }
        defer { json_tokener_free(tokener) }
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT)
        // The zero tells json-c that a number at the very end is complete.
        let text = bytes.map { CChar(bitPattern: $0) } + [0]
        let tree = json_tokener_parse_ex(tokener, text, Int32(text.count))
        let outcome = json_tokener_get_error(tokener)
        guard outcome == json_tokener_success else {
            let reason =
                outcome == json_tokener_continue
                ? "the text ends early" : String(cString: json_tokener_error_desc(outcome))
            throw JSONError(
                offset: json_tokener_get_parse_end(tokener), reason: reason,
                isUnsupported: outcome == json_tokener_error_depth)
        }
        return tree
    }

    /// Copies a tree of json-c, which represents null by no object at all.
    ///
    /// - Parameter numbers: the numbers in it as they are written, in this order; json-c has but their values, in 64 bits.
    private init(_ tree: OpaquePointer?, _ numbers: inout IndexingIterator<[String]>) {
        switch json_object_get_type(tree) {
        case json_type_boolean: self = .bool(json_object_get_boolean(tree) != 0)
        case json_type_int, json_type_double:
            guard let text = numbers.next() else { preconditionFailure("json-c has read more numbers than there are") }
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
        // json-c has seen to it that each name is there once.
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

    /// The number of members of this value's objects, at all depths.
    private var memberCount: Int {
        switch self {
        case .object(let object): object.reduce(object.count) { $0 + $1.value.memberCount }
        case .array(let array): array.reduce(0) { $0 + $1.memberCount }
        default: 0
        }
    }
}

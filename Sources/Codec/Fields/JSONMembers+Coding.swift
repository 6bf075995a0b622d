import JSON

extension JSONMembers {
    /// The maximum length of a text in bytes; a characteristic has at most 512 bytes.
    private static let limit = 4096
    /// The maximum number of nested objects and lists.
    private static let depth = 16

    /// Decodes the text up to the end of the bytes, and appends its members to `members`.
    ///
    /// A member that the text lacks is left out. At least one member must be there.
    func decode(
        _ bytes: Span<UInt8>, at cursor: inout Cursor, field: String, to members: inout [Reading.Member]
    ) throws(DecodingError) {
        let size = cursor.remaining
        let start = try cursor.take(size, for: field)
        let found = try TextType.text(bytes.extracting(start..<start + size), field: field)
        guard case .string(let text) = found else { return }
        let root: JSON
        do {
            root = try JSON(parsing: text, limit: Self.limit, depth: Self.depth)
        } catch {
            throw .invalid(field: field, "\(error)")
        }
        let first = members.count
        for member in self.members {
            guard let json = try member.json(in: root) else { continue }
            members.append(
                Reading.Member(name: member.name, value: try member.value(of: json), unit: member.unit))
        }
        guard members.count > first else {
            let places = self.members.map { $0.path.joined(separator: ".") }.joined(separator: ", ")
            throw .invalid(field: field, "the text has none of the members \(places)")
        }
    }

    /// Encodes the members in a record as one object; members that the record lacks are left out.
    func encode(_ record: Record, field: String) throws(EncodingError) -> [UInt8] {
        var root: JSON.Object = [:]
        for member in members {
            guard let value = record[member.name] else { continue }
            guard !member.path.contains(where: { Int($0) != nil }) else {
                throw .invalid(
                    field: member.name, expected: "a member that can be written", found: "an element of a list")
            }
            root.insert(try member.json(of: value), at: member.path[...])
        }
        guard root.count > 0 else { throw .missing(field: members.first?.name ?? field) }
        let bytes = Array(JSON.object(root).description.utf8)
        if bytes.count > Format.maximumLength { throw .tooLong(field: field) }
        return bytes
    }
}

extension JSONMembers.Member {
    /// Returns the value in a text; nil if the text does not contain it.
    ///
    /// - Throws: `DecodingError` if a part of the path is neither an object, nor a list, nor null.
    fileprivate func json(in root: JSON) throws(DecodingError) -> JSON? {
        var json = root
        for part in path {
            let next: JSON?
            switch json {
            case .object(let members): next = members[part]
            case .array: next = Int(part).flatMap { json[$0] }
            case .null: return nil
            default: throw .invalid(field: name, "expected an object with \(part), found \(json.kind)")
            }
            guard let next else { return nil }
            json = next
        }
        return json
    }

    fileprivate func value(of json: JSON) throws(DecodingError) -> Value {
        switch (form, json) {
        case (_, .null): return .null
        case (.boolean, .bool(let isTrue)): return .boolean(isTrue)
        case (.utf8, .string(let text)): return .string(text)
        case (.decimal, .number(let digits)):
            guard let number = Decimal(digits.text) else {
                throw .invalid(field: name, "the number \(digits.text.quotedForMessage) has too many digits")
            }
            return try meaning.decode(number, field: name)
        default: throw .invalid(field: name, "expected \(expectation), found \(json.kind)")
        }
    }

    fileprivate func json(of value: Value) throws(EncodingError) -> JSON {
        func invalid() -> EncodingError { .invalid(field: name, expected: expectation, found: value.description) }
        switch (form, value) {
        case (.decimal, _):
            let text = try meaning.text(of: value, field: name)
            return text.isEmpty ? .null : .number(verbatim: text)
        case (_, .null): return .null
        case (.utf8, .string(let text)): return .string(text)
        case (.boolean, _):
            guard let isTrue = value.truth else { throw invalid() }
            return .bool(isTrue)
        default: throw invalid()
        }
    }

    private var expectation: String {
        switch form {
        case .decimal: "a number"
        case .utf8: "a text"
        case .boolean: "true or false"
        }
    }
}

extension JSON {
    /// The kind of the value, for messages.
    fileprivate var kind: String {
        switch self {
        case .null: "null"
        case .bool(let isTrue): "\(isTrue)"
        case .number(let number): "the number \(number.text.quotedForMessage)"
        case .string(let text): "the text \(text.quotedForMessage)"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

extension JSON.Object {
    /// Adds a value at a place; the objects that lead to it are created.
    fileprivate mutating func insert(_ value: JSON, at path: ArraySlice<String>) {
        guard let name = path.first else { return }
        guard path.count > 1 else {
            self[name] = value
            return
        }
        var inner = self[name]?.object ?? [:]
        inner.insert(value, at: path.dropFirst())
        self[name] = .object(inner)
    }
}

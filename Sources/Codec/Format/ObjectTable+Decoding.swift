extension ObjectTable {
    /// Reads objects up to the end; those of one kind that come several times get `_1`, `_2` after their names.
    ///
    /// What follows an unknown tag is skipped, if it has a length; without one nothing after it can be read.
    func decode(
        _ bytes: Span<UInt8>, at cursor: inout Cursor, field: Field, with known: KnownNumbers,
        to members: inout [Reading.Member]
    ) throws(DecodingError) {
        let first = members.count
        while cursor.remaining >= framing.size {
            let head = try framing.decode(bytes, at: &cursor, field: field.name)
            var inner = try cursor.takeRecord(head.length ?? cursor.remaining, for: field.name)
            guard let layout = layouts[head.tag] else { continue }
            members += try layout.sized(head).decodeFields(bytes, at: &inner, with: known)
            if head.length == nil { cursor.position = inner.position } else { try inner.finish() }
        }
        // Less than another object's beginning: some devices fill up.
        cursor.position = cursor.end
        number(&members, from: first)
    }

    private func number(_ members: inout [Reading.Member], from first: Int) {
        var totals: [String: Int] = [:]
        for member in members[first...] { totals[member.name, default: 0] += 1 }
        guard totals.values.contains(where: { $0 > 1 }) else { return }
        var counts: [String: Int] = [:]
        for index in members.indices[first...] {
            let member = members[index]
            guard totals[member.name, default: 0] > 1 else { continue }
            counts[member.name, default: 0] += 1
            members[index] = Reading.Member(
                name: "\(member.name)_\(counts[member.name, default: 0])", value: member.value, unit: member.unit)
        }
    }
}

extension ObjectTable.Framing {
    /// How an object begins.
    struct Head {
        let tag: Int
        /// The bytes of the value; nil where the tag decides.
        let length: Int?
        /// The type of a number; nil where the tag decides.
        let type: FieldType?
    }

    /// The bytes that an object has at least.
    var size: Int {
        switch self {
        case .tag: 1
        case .tagAndLength(let tag, let length): (tag.size ?? 1) + (length.size ?? 1)
        case .lengthAndKind: 2
        }
    }

    func decode(_ bytes: Span<UInt8>, at cursor: inout Cursor, field: String) throws(DecodingError) -> Head {
        func take(_ type: FieldType) throws(DecodingError) -> Int {
            Int(try Field(field, type).decodeRaw(bytes, at: &cursor))
        }
        switch self {
        case .tag(let tag): return Head(tag: try take(tag), length: nil, type: nil)
        case .tagAndLength(let tag, let length):
            return Head(tag: try take(tag), length: try take(length), type: nil)
        case .lengthAndKind:
            let control = try take(.uint8)
            // The device's address has no tag before it.
            if control >> 5 == 4 { return Head(tag: -1, length: control & 0x1F, type: nil) }
            let length = (control & 0x1F) - 1
            let tag = try take(.uint8)
            guard length >= 0 else { throw .invalid(field: field, "an object without a tag") }
            return Head(tag: tag, length: length, type: FieldType(kind: control >> 5, size: length))
        }
    }
}

extension FieldType {
    /// The number of a BTHome 1 object; nil for what is none.
    fileprivate init?(kind: Int, size: Int) {
        let prefix = ["uint", "sint", "float"]
        guard prefix.indices.contains(kind) else { return nil }
        self.init(rawValue: "\(prefix[kind])\(8 * size)")
    }
}

extension Format {
    /// The same layout with its number in the size that the object's head says.
    fileprivate func sized(_ head: ObjectTable.Framing.Head) -> Format {
        guard let type = head.type, fields.count == 1, fields[0].type.isNumber, fields[0].meaning.values == nil else {
            return self
        }
        var field = fields[0]
        field.type = type
        return Format([field])
    }
}

extension ObjectTable {
    /// Decodes objects up to the end of the bytes, and appends their fields to `members`.
    ///
    /// If a name occurs several times, `_1`, `_2` etc. are appended to it.
    ///
    /// An object with an unknown tag is skipped if it has a length. Without a length, the objects after it are ignored.
    /// If the bytes end within an object, the objects before it are valid.
    func decode(
        _ bytes: Span<UInt8>, at cursor: inout Cursor, field: String, with known: KnownNumbers,
        to members: inout [Reading.Member]
    ) throws(DecodingError) {
        let first = members.count
        while cursor.remaining >= framing.size {
            do throws(DecodingError) {
                let head = try framing.decode(bytes, at: &cursor, field: field)
                var inner = try cursor.takeRecord(head.length ?? cursor.remaining, for: field)
                guard let layout = layouts[head.tag] else { continue }
                members += try layout.sized(head).decodeFields(bytes, at: &inner, with: known)
                if head.length == nil { cursor.position = inner.position } else { try inner.finish() }
            } catch {
                guard members.count > first, case .tooShort = error else { throw error }
                break
            }
        }
        // Some devices append padding, which is shorter than the beginning of an object.
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
    /// The decoded first bytes of an object.
    struct Head {
        let tag: Int
        /// The length of the value in bytes; nil if the tag determines it.
        let length: Int?
        /// The type of a number; nil if the tag determines it.
        let type: NumberType?
    }

    /// The minimum length of an object in bytes.
    var size: Int {
        switch self {
        case .tag: 1
        case .tagAndLength(let tag, let length): tag.size + length.size
        case .lengthAndKind: 2
        }
    }

    func decode(_ bytes: Span<UInt8>, at cursor: inout Cursor, field: String) throws(DecodingError) -> Head {
        func take(_ type: UnsignedType) throws(DecodingError) -> Int {
            Int(try type.decode(bytes, at: &cursor, field: field))
        }
        switch self {
        case .tag(let tag): return Head(tag: try take(tag), length: nil, type: nil)
        case .tagAndLength(let tag, let length):
            return Head(tag: try take(tag), length: try take(length), type: nil)
        case .lengthAndKind:
            let control = try take(.uint8)
            // Kind 4 is the address of the device, which has no tag.
            if control >> 5 == 4 { return Head(tag: -1, length: control & 0x1F, type: nil) }
            let length = (control & 0x1F) - 1
            let tag = try take(.uint8)
            guard length >= 0 else { throw .invalid(field: field, "an object without a tag") }
            return Head(tag: tag, length: length, type: NumberType(kind: control >> 5, size: length))
        }
    }
}

extension NumberType {
    /// Creates the type of a number in BTHome 1; nil for a kind that is not a number.
    fileprivate init?(kind: Int, size: Int) {
        let prefix = ["uint", "sint", "float"]
        guard prefix.indices.contains(kind) else { return nil }
        self.init(rawValue: "\(prefix[kind])\(8 * size)")
    }
}

extension Format {
    /// Returns the same layout with the type of number in the object's head.
    fileprivate func sized(_ head: ObjectTable.Framing.Head) -> Format {
        guard let type = head.type, fields.count == 1, case .number(var number) = fields[0].content,
            number.meaning.values == nil
        else { return self }
        number.type = type
        var field = fields[0]
        field.content = .number(number)
        return Format([field])
    }
}

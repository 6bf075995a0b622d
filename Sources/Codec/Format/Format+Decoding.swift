extension Format {
    /// Decodes all bytes with this layout or, if the bytes do not fit, with the first alternative that fits.
    ///
    /// - Throws: The error of this layout, if no alternative fits.
    package func decode(_ bytes: Span<UInt8>) throws(DecodingError) -> Reading {
        do throws(DecodingError) {
            return try decodeOnly(bytes, with: KnownNumbers())
        } catch {
            for alternative in alternatives {
                if let reading = try? alternative.decodeOnly(bytes, with: KnownNumbers()) { return reading }
            }
            throw error
        }
    }

    /// Decodes all bytes with this layout, whose conditions and formulas use the values of an environment.
    ///
    /// - Throws: `DecodingError.needs` if a condition, a length or a count uses a name without a value.
    package func decode(_ bytes: [UInt8], in environment: Environment) throws(DecodingError) -> Reading {
        if outerNames.isEmpty { return try decode(bytes) }
        let known: KnownNumbers
        do throws(MissingName) {
            known = try self.known(from: environment)
        } catch {
            throw .needs(field: error.field, error.name)
        }
        return try decodeOnly(bytes.span, with: known)
    }

    /// Decodes all bytes of an array, like `decode(_:)` for a span.
    package func decode(_ bytes: [UInt8]) throws(DecodingError) -> Reading {
        try decode(bytes.span)
    }

    /// Decodes all bytes with this layout, without the alternatives.
    private func decodeOnly(_ bytes: Span<UInt8>, with known: KnownNumbers) throws(DecodingError) -> Reading {
        if hasPositions { return try decodePlaced(bytes, with: known) }
        var cursor = Cursor(0..<bytes.count)
        let reading: Reading
        if hasOneValue {
            let value = try fields.span[0].decode(bytes, at: &cursor, with: known)
            reading = .value(value, unit: fields.span[0].unit)
        } else {
            reading = .fields(try decodeFields(bytes, at: &cursor, with: known))
        }
        try cursor.finish()
        guard cursor.end == bytes.count else { throw .tooLong(expected: cursor.end, found: bytes.count) }
        return reading
    }

    /// Decodes fields at their positions.
    private func decodePlaced(_ bytes: Span<UInt8>, with outer: KnownNumbers) throws(DecodingError) -> Reading {
        var cursor = Cursor(0..<bytes.count)
        var known = outer
        var members: [Reading.Member] = []
        for (index, field) in fields.enumerated() {
            if let position = field.position.map({ Int($0) }) {
                guard position <= cursor.end || field.isOptional || !known.allow(field.when) else {
                    throw .tooShort(
                        field: field.name, expected: position + (field.fixedSize ?? 0), found: cursor.end)
                }
                cursor.position = min(position, cursor.end)
            }
            members += try decodeFields(bytes, at: &cursor, known: &known, index..<index + 1)
        }
        guard hasOneValue else { return .fields(members) }
        // The only field is absent if it is optional, or if its condition does not hold.
        return .value(members.first?.value ?? .null, unit: fields[0].unit)
    }

    /// Decodes the fields from the cursor's position on.
    ///
    /// `outer` contains the numbers of the record that contains these fields.
    func decodeFields(
        _ bytes: Span<UInt8>, at cursor: inout Cursor, with outer: KnownNumbers
    ) throws(DecodingError) -> [Reading.Member] {
        var known = outer
        return try decodeFields(bytes, at: &cursor, known: &known, fields.indices)
    }

    /// Decodes some fields from the cursor's position on, and adds to `known` the values to which other fields refer.
    private func decodeFields(
        _ bytes: Span<UInt8>, at cursor: inout Cursor, known: inout KnownNumbers, _ indices: Range<Int>
    ) throws(DecodingError) -> [Reading.Member] {
        var members: [Reading.Member] = []
        members.reserveCapacity(indices.count)
        let fields = fields.span
        for index in indices where known.allow(fields[index].when) {
            if fields[index].isOptional, cursor.remaining == 0 { continue }
            let value: Value
            switch fields[index].content {
            case .bits(let set):
                let raw = try set.type.decode(bytes, at: &cursor, field: fields[index].name)
                try set.decode(raw, field: fields[index].name, references: references, known: &known, to: &members)
                continue
            case .objects(let objects):
                try objects.decode(bytes, at: &cursor, field: fields[index].name, with: known, to: &members)
                continue
            case .json(let json):
                try json.decode(bytes, at: &cursor, field: fields[index].name, to: &members)
                continue
            case .formula(let formula): value = try formula.value(with: known, field: fields[index].name)
            default: value = try fields[index].decode(bytes, at: &cursor, with: known)
            }
            if fields[index].isShown {
                members.append(Reading.Member(name: fields[index].name, value: value, unit: fields[index].unit))
            }
            if references.contains(fields[index].name) { known.set(fields[index].name, to: value) }
        }
        return members
    }
}

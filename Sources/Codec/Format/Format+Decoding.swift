extension Format {
    /// Decodes all bytes with this layout or, if the bytes do not fit, with the first alternative that fits.
    ///
    /// - Throws: The error of this layout, if no alternative fits.
    package func decode(_ bytes: Span<UInt8>) throws(DecodingError) -> Reading {
        do throws(DecodingError) {
            return try decodeOnly(bytes)
        } catch {
            for alternative in alternatives {
                if let reading = try? alternative.decodeOnly(bytes) { return reading }
            }
            throw error
        }
    }

    /// Decodes all bytes of an array, like `decode(_:)` for a span.
    package func decode(_ bytes: [UInt8]) throws(DecodingError) -> Reading {
        try decode(bytes.span)
    }

    /// Decodes all bytes with this layout, without the alternatives.
    private func decodeOnly(_ bytes: Span<UInt8>) throws(DecodingError) -> Reading {
        var cursor = Cursor(0..<bytes.count)
        let reading: Reading
        if hasOneValue {
            let value = try fields.span[0].decode(bytes, at: &cursor, with: KnownNumbers())
            reading = .value(value, unit: fields.span[0].unit)
        } else {
            reading = .fields(try decodeFields(bytes, at: &cursor, with: KnownNumbers()))
        }
        try cursor.finish()
        guard cursor.end == bytes.count else { throw .tooLong(expected: cursor.end, found: bytes.count) }
        return reading
    }

    /// Decodes the fields from the cursor's position on.
    ///
    /// `outer` contains the numbers of the record that contains these fields.
    func decodeFields(
        _ bytes: Span<UInt8>, at cursor: inout Cursor, with outer: KnownNumbers
    ) throws(DecodingError) -> [Reading.Member] {
        var known = outer
        return try decodeFields(bytes, at: &cursor, known: &known)
    }

    /// Decodes the fields from the cursor's position on, and adds to `known` the numbers to which other fields refer.
    func decodeFields(
        _ bytes: Span<UInt8>, at cursor: inout Cursor, known: inout KnownNumbers
    ) throws(DecodingError) -> [Reading.Member] {
        var members: [Reading.Member] = []
        members.reserveCapacity(fields.count)
        let fields = fields.span
        for index in fields.indices where known.allow(fields[index].when) {
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
            case .formula(let formula): value = try formula.value(with: known, field: fields[index].name)
            default: value = try fields[index].decode(bytes, at: &cursor, with: known)
            }
            if fields[index].isShown {
                members.append(Reading.Member(name: fields[index].name, value: value, unit: fields[index].unit))
            }
            if references.contains(fields[index].name), let number = value.number() {
                known.set(fields[index].name, to: number)
            }
        }
        return members
    }
}

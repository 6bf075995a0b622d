extension Format {
    /// Reads all of the bytes, or says what does not fit.
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

    package func decode(_ bytes: [UInt8]) throws(DecodingError) -> Reading {
        try decode(bytes.span)
    }

    /// Reads all of the bytes in this layout.
    private func decodeOnly(_ bytes: Span<UInt8>) throws(DecodingError) -> Reading {
        var cursor = Cursor(0..<bytes.count)
        let reading: Reading
        if hasOneValue {
            let value = try fields.span[0].decode(bytes, at: &cursor, with: KnownNumbers())
            reading = .value(value, unit: fields.span[0].meaning.unit)
        } else {
            reading = .fields(try decodeFields(bytes, at: &cursor, with: KnownNumbers()))
        }
        try cursor.finish()
        guard cursor.end == bytes.count else { throw .tooLong(expected: cursor.end, found: bytes.count) }
        return reading
    }

    /// Reads the fields from a place on, with the numbers of an outer record's fields.
    func decodeFields(
        _ bytes: Span<UInt8>, at cursor: inout Cursor, with outer: KnownNumbers
    ) throws(DecodingError) -> [Reading.Member] {
        var known = outer
        return try decodeFields(bytes, at: &cursor, known: &known)
    }

    /// Reads the fields from a place on, and adds their numbers, as far as others refer to them.
    func decodeFields(
        _ bytes: Span<UInt8>, at cursor: inout Cursor, known: inout KnownNumbers
    ) throws(DecodingError) -> [Reading.Member] {
        var members: [Reading.Member] = []
        members.reserveCapacity(fields.count)
        let fields = fields.span
        for index in fields.indices where known.allow(fields[index].when) {
            if fields[index].isOptional, cursor.remaining == 0 { continue }
            if !fields[index].bits.isEmpty {
                let raw = try fields[index].decodeRaw(bytes, at: &cursor)
                try fields[index].decodeBits(of: raw, references: references, known: &known, to: &members)
            } else if let objects = fields[index].objects {
                try objects.decode(bytes, at: &cursor, field: fields[index], with: known, to: &members)
            } else {
                let value =
                    if let expression = fields[index].expression {
                        try fields[index].calculate(expression, with: known)
                    } else {
                        try fields[index].decode(bytes, at: &cursor, with: known)
                    }
                if fields[index].isShown {
                    members.append(
                        Reading.Member(name: fields[index].name, value: value, unit: fields[index].meaning.unit))
                }
                if references.contains(fields[index].name), let number = value.number() {
                    known.set(fields[index].name, to: number)
                }
            }
        }
        return members
    }
}

extension Field {
    /// What the expression says with the numbers of earlier fields.
    func calculate(
        _ expression: Expression, with known: KnownNumbers
    ) throws(DecodingError) -> Value {
        guard let number = expression.value(with: known) else { return .null }
        if type == .boolean { return .boolean(number != .zero) }
        if let whole = number.wholeNumber, meaning.unknown.contains(whole) { return .null }
        if let values = meaning.values, let whole = number.wholeNumber {
            return try values.decode(whole, field: name)
        }
        return try meaning.value(of: number, field: name)
    }

    fileprivate func decodeBits(
        of raw: Int128, references: Set<String>, known: inout KnownNumbers, to members: inout [Reading.Member]
    ) throws(DecodingError) {
        if showsBitsAsNumber { members.append(Reading.Member(name: name, value: .number(Decimal(raw)))) }
        for bits in bits where references.contains(bits.name) {
            if let number = bits.known(in: raw) { known.set(bits.name, to: number) }
        }
        for bits in bits where (bits.isShown || bits.meaning.range != nil) && known.allow(bits.when) {
            let value = try bits.decode(raw)
            if bits.isShown { members.append(Reading.Member(name: bits.name, value: value, unit: bits.meaning.unit)) }
        }
    }
}

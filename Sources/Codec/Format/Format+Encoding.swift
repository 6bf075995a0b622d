extension Format {
    /// The bytes that the value of a characteristic has at most (Core Specification, Vol 3, Part F, 3.2.9).
    static let mostBytes = 512

    /// Writes a value, a record of the fields, or what a reading's payload carries, as bytes, or says what does not
    /// fit.
    ///
    /// Where a field has a scale, numbers are rounded to its nearest step; others must be whole. What only tells which
    /// fields follow, or how long they are, is found from the record; what a field calculates from others need not be
    /// given.
    package func encode(_ payload: Value) throws(EncodingError) -> [UInt8] {
        let value = try content(of: payload)
        guard !alternatives.isEmpty else { return try encodeOnly(value) }
        // Of several layouts the first that says exactly this; of a value between two steps, the first that can be.
        let layouts = ([Format(fields)] + alternatives).compactMap { layout in
            (try? layout.encodeOnly(value)).map { (layout, $0) }
        }
        let exact = layouts.first { layout, bytes in
            (try? layout.decode(bytes))?.value.isMeant(by: value) ?? false
        }
        if let (_, bytes) = exact ?? layouts.first { return bytes }
        return try encodeOnly(value)
    }

    /// Writes a value in this layout.
    private func encodeOnly(_ value: Value) throws(EncodingError) -> [UInt8] {
        if hasOneValue {
            var bytes: [UInt8] = []
            try fields[0].encode(value, to: &bytes, with: KnownNumbers())
            return bytes
        }
        guard case .record(let record) = value else {
            let names = quantities.map(\.name).joined(separator: ", ")
            throw .invalid(field: "value", expected: "an object with \(names)", found: value.description)
        }
        return try encodeFields(record, with: KnownNumbers())
    }

    /// Writes the fields of a record, with the numbers of an outer record's fields.
    func encodeFields(_ record: Record, with outer: KnownNumbers) throws(EncodingError) -> [UInt8] {
        try checkNames(record)
        var record = record
        let solutions = solutions(of: &record)
        var known = try knownNumbers(for: record, with: outer)
        for (name, number) in solutions { known.set(name, to: number) }
        var bytes: [UInt8] = []
        var later: [(field: Field, position: Int)] = []
        var written: Set<String> = []
        for field in fields where known.allow(field.when) {
            if field.isOptional, !field.names.contains(where: { record[$0] != nil }) { continue }
            written.formUnion(field.names(with: known))
            if let expression = field.expression {
                let result = try? field.calculate(expression, with: known)
                try field.check(record[field.name], is: result)
                if let number = result?.number() { known.set(field.name, to: number) }
            } else if !field.bits.isEmpty {
                try field.encodeBits(record, known: known, to: &bytes)
            } else if let objects = field.objects {
                bytes += try objects.encode(record, except: fields.flatMap(\.names))
            } else if field.isFoundAtTheEnd(record) {
                later.append((field, bytes.count))
                bytes += try field.placeholder
            } else {
                try field.encodeValue(record, known: known, to: &bytes)
            }
        }
        // Sizes first: the checksums cover them.
        for (field, position) in later.sorted(by: { $0.field.isSizeOfRecord && !$1.field.isSizeOfRecord }) {
            try field.complete(&bytes, at: position)
        }
        try checkPlaces(of: record, written: written)
        return bytes
    }

    /// Throws if the record says something for which these bytes have no place, because of what else it says.
    private func checkPlaces(of record: Record, written: Set<String>) throws(EncodingError) {
        let names = Set(fields.flatMap(\.names)).subtracting(written)
        // Where nothing is there, nothing is known of it.
        let lost = record.members.filter {
            names.contains($0.name) && $0.value != .null && !isSwitchedOff($0.name, by: record)
        }.map(\.name)
        guard lost.isEmpty else { throw .misplaced(fields: lost) }
    }

    /// Whether the record says by a yes or a no that a field is left out: with `"on": false` nobody minds a level.
    private func isSwitchedOff(_ name: String, by record: Record) -> Bool {
        fields.filter { $0.names.contains(name) }.flatMap(\.when).contains { condition in
            guard case .boolean(let isSet) = record[condition.flag] else { return false }
            return !condition.holds(for: isSet ? 1 : 0)
        }
    }

    private func checkNames(_ record: Record) throws(EncodingError) {
        if fields.contains(where: { $0.objects != nil }) { return }
        let known = fields.flatMap(\.names)
        for name in record.names where !known.contains(name) {
            throw .unknown(field: name, known: quantities.map(\.name))
        }
    }
}

extension Field {
    /// The names of what stands in the field's bytes with these numbers of earlier fields.
    fileprivate func names(with known: KnownNumbers) -> [String] {
        guard !bits.isEmpty else { return [name] }
        return (showsBitsAsNumber ? [name] : []) + bits.filter { known.allow($0.when) }.map(\.name)
    }

    /// Whether its number says something about the finished record: its size, or a checksum, unless the record says
    /// that there is none.
    fileprivate func isFoundAtTheEnd(_ record: Record) -> Bool {
        isSizeOfRecord || (checksum != nil && record[name] != .null)
    }

    /// Writes that number in its place.
    fileprivate func complete(_ bytes: inout [UInt8], at position: Int) throws(EncodingError) {
        guard let size = type.size, let limits = type.integerRange else {
            preconditionFailure("\(name) is a size or a checksum, but no number")
        }
        let number = checksum.map { Int128($0(bytes[..<position])) } ?? Int128(bytes.count)
        if checksum == nil, !limits.contains(number) {
            throw .invalid(field: name, expected: meaning.expectation(limits), found: "\(number)")
        }
        var content: [UInt8] = []
        content.append(number, size: size, endian: endian)
        bytes.replaceSubrange(position..<position + size, with: content)
    }

    /// Throws if another value is given than what follows from the other fields: it cannot be written.
    fileprivate func check(_ given: Value?, is result: Value?) throws(EncodingError) {
        guard let given, let result, given != result else { return }
        if let number = result.number(), given.number(names: meaning.values) == number { return }
        throw invalid("no value, or \(result), as it follows from other fields,", given)
    }

    /// Adds what the record says, or what the other fields make of it.
    fileprivate func encodeValue(
        _ record: Record, known: KnownNumbers, to bytes: inout [UInt8]
    ) throws(EncodingError) {
        if let value = record[name] {
            try encode(value, to: &bytes, with: known)
        } else if let number = known[name] {
            try encodeFound(number, to: &bytes, with: known)
        } else if isShown {
            throw .missing(field: name)
        } else {
            bytes += try placeholder
        }
    }

    /// Adds a number that was found from other fields.
    private func encodeFound(
        _ number: Decimal, to bytes: inout [UInt8], with known: KnownNumbers
    ) throws(EncodingError) {
        guard count == nil, let limits = type.integerRange, let size = type.size else {
            return try encode(.number(number), to: &bytes, with: known)
        }
        bytes.append(try meaning.raw(found: number, in: limits, field: name), size: size, endian: endian)
    }

    /// Adds a number that consists of named bits: what the record says, or what the fields that are there make of it.
    fileprivate func encodeBits(_ record: Record, known: KnownNumbers, to bytes: inout [UInt8]) throws(EncodingError) {
        guard let size = type.size, let limits = type.integerRange else {
            preconditionFailure("\(name) has bits, but is a \(type.rawValue)")
        }
        let whole = showsBitsAsNumber ? record[name] : nil
        var raw =
            try whole.map { value throws(EncodingError) in
                try Meaning().raw(for: value, in: limits, field: name)
            } ?? 0
        for bits in bits where known.allow(bits.when) {
            if let value = record[bits.name] {
                raw = raw & ~bits.mask | (try bits.encode(value))
            } else if whole == nil {
                raw |= try bits.encodeUnsaid(known)
            }
        }
        bytes.append(raw, size: size, endian: endian)
    }
}

extension BitField {
    /// The bits that a record says nothing about.
    fileprivate func encodeUnsaid(_ known: KnownNumbers) throws(EncodingError) -> Int128 {
        if let number = known[name] { return bits(for: try meaning.raw(found: number, in: limits, field: name)) }
        if isShown { throw .missing(field: name) }
        return bits(for: meaning.placeholder)
    }
}

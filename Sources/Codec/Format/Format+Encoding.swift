import JSON

extension Format {
    /// The maximum length of a characteristic's value in bytes (Core Specification, Vol 3, Part F, 3.2.9).
    static let maximumLength = 512

    /// Encodes a value, a record of the fields, or the payload of a reading.
    ///
    /// A number is rounded to the nearest step of its scale; a number without a scale must be whole. Flag bits and
    /// lengths may be omitted: they follow from the fields that are present. Calculated values may be omitted, too.
    ///
    /// - Throws: `EncodingError` for the first field that does not fit.
    package func encode(_ payload: Value) throws(EncodingError) -> [UInt8] {
        let value = try content(of: payload)
        guard !alternatives.isEmpty else { return try encodeOnly(value) }
        // The first layout that encodes the value exactly is used; otherwise the first layout that can encode it.
        let layouts = ([Format(fields)] + alternatives).compactMap { layout in
            (try? layout.encodeOnly(value)).map { (layout, $0) }
        }
        let exact = layouts.first { layout, bytes in
            (try? layout.decode(bytes))?.value.isEquivalent(to: value) ?? false
        }
        if let (_, bytes) = exact ?? layouts.first { return bytes }
        return try encodeOnly(value)
    }

    /// Encodes a value with this layout, without the alternatives.
    private func encodeOnly(_ value: Value) throws(EncodingError) -> [UInt8] {
        if hasOneValue {
            var bytes: [UInt8] = []
            try fields[0].encode(value, to: &bytes, with: KnownNumbers())
            return bytes
        }
        guard case .record(let record) = value else {
            let names = quantities.map(\.name).joined(separator: ", ")
            let form = example.map { "such as \($0)" } ?? "with \(names)"
            throw .invalid(field: "value", expected: "an object \(form)", found: value.description)
        }
        return try encodeFields(record, with: KnownNumbers())
    }

    /// Encodes the fields of a record.
    ///
    /// `outer` contains the numbers of the record that contains this record.
    func encodeFields(_ record: Record, with outer: KnownNumbers) throws(EncodingError) -> [UInt8] {
        var record = record
        return try encodeFields(&record, with: outer)
    }

    /// Encodes the fields of a record, and adds to the record the values that formulas of fields give.
    func encodeFields(_ record: inout Record, with outer: KnownNumbers) throws(EncodingError) -> [UInt8] {
        try checkNames(record)
        let solutions = try solutions(of: &record)
        var known = try knownNumbers(for: record, with: outer)
        for (name, number) in solutions { known.set(name, to: number) }
        var bytes: [UInt8] = []
        var sizes: [(field: Field, type: UnsignedType, position: Int)] = []
        var checksums: [(checksum: Checksum, type: UnsignedType, position: Int)] = []
        var written: Set<String> = []
        for (index, field) in fields.enumerated() {
            guard known.allow(field.when), !isOmitted(index, record, known) else {
                forget(field, record, &known, in: outer)
                continue
            }
            written.formUnion(field.names(with: known))
            if let assignment = field.assignment, record[field.name] == nil {
                let value = try field.assigned(assignment, with: known)
                record[field.name] = value
                known.set(field.name, to: value)
            }
            switch field.content {
            case .formula(let formula):
                let result = try? formula.value(with: known, field: field.name)
                try field.check(record[field.name], is: result)
                if let number = result?.number() { known.set(field.name, to: number) }
            case .bits(let set): try set.encode(record, field: field.name, known: known, to: &bytes)
            case .objects(let objects): bytes += try objects.encode(record, except: fields.flatMap(\.names))
            case .json(let json): bytes += try json.encode(record, field: field.name)
            case .size(let type):
                sizes.append((field, type, bytes.count))
                bytes += try field.placeholder
            case .checksum(let checksum, let type, _) where record[field.name] != .null:
                checksums.append((checksum, type, bytes.count))
                bytes += try field.placeholder
            default: try field.encodeValue(record, known: known, to: &bytes)
            }
        }
        for (field, type, position) in sizes {
            guard type.range.contains(Int128(bytes.count)) else {
                throw .invalid(
                    field: field.name, expected: Meaning().expectation(type.range), found: "\(bytes.count)")
            }
            bytes.replace(type, at: position, with: Int128(bytes.count))
        }
        // Checksums are calculated after the sizes, because a checksum covers the bytes of a size.
        for (checksum, type, position) in checksums {
            bytes.replace(type, at: position, with: Int128(checksum(bytes[..<position].dropFirst(checksum.first))))
        }
        try checkPlaces(of: record, written: written)
        return bytes
    }

    /// Returns whether an optional field is left out: the record omits it, and it is not the length, the count or the flag of
    /// later bytes.
    private func isOmitted(_ index: Int, _ record: Record, _ known: KnownNumbers) -> Bool {
        guard fields[index].isOptional, !fields[index].names.contains(where: { record[$0] != nil }) else {
            return false
        }
        let hasBytes = fields[(index + 1)...].contains { field in
            !field.isFormula && record[field.name]?.isEmpty == false
        }
        return known[fields[index].name] ?? .zero == .zero || !hasBytes
    }

    /// Forgets the numbers of an absent field that were guessed: they are not known when the bytes are read, either.
    private func forget(_ field: Field, _ record: Record, _ known: inout KnownNumbers, in outer: KnownNumbers) {
        for name in field.names where record[name] == nil {
            let isElsewhere = fields.contains { other in
                other != field && other.names.contains(name) && known.allow(other.when)
            }
            if !isElsewhere { known.forget(name, in: outer) }
        }
    }

    /// Throws `EncodingError.misplaced` if the record has values of fields that are absent according to other values.
    private func checkPlaces(of record: Record, written: Set<String>) throws(EncodingError) {
        let names = Set(fields.flatMap(\.names)).subtracting(written)
        // For an absent field, the record may contain null.
        let lost = record.filter {
            names.contains($0.name) && $0.value != .null && !isTurnedOff($0.name, by: record)
        }.map(\.name)
        if let first = lost.first { throw .misplaced(fields: lost, rule: rule(for: first, in: record)) }
    }

    /// Returns when a field is present, and why the record lacks it: `op is set_pressure; op is start`.
    ///
    /// Returns nil if the field depends on several other fields, or on something else than the equality of a number.
    func rule(for name: String, in record: Record) -> String? {
        let conditions = fields.filter { $0.names.contains(name) }.map(\.when)
        guard let selector = conditions.first?.first?.flag, let found = record[selector] else { return nil }
        var allowed: [String] = []
        for condition in conditions {
            guard condition.count == 1, condition[0].flag == selector,
                case .equal(let number) = condition[0].requirement
            else { return nil }
            allowed.append(namedValues(of: selector)?.name(of: Int128(number)) ?? "\(number)")
        }
        let word = if case .string(let text) = found { text } else { found.description }
        return "\(selector) is \(allowed.joined(separator: " or ")); \(selector) is \(word)"
    }

    private func namedValues(of selector: String) -> NamedValues? {
        for field in fields where field.names.contains(selector) {
            if case .bits(let set) = field.content {
                return set.bits.first { $0.name == selector }?.meaning.values
            }
            return field.meaning?.values ?? field.wholeNumber?.meaning.values
        }
        return nil
    }

    /// Returns whether the field is absent because of a boolean of the record: with `"on": false`, a level is ignored.
    private func isTurnedOff(_ name: String, by record: Record) -> Bool {
        fields.filter { $0.names.contains(name) }.flatMap(\.when).contains { condition in
            guard case .boolean(let isSet) = record[condition.flag] else { return false }
            return !condition.holds(for: isSet ? 1 : 0)
        }
    }

    private func checkNames(_ record: Record) throws(EncodingError) {
        if hasObjects { return }
        let known = fields.flatMap(\.names)
        for name in record.names where !known.contains(name) {
            throw .unknown(field: name, known: quantities.map(\.name))
        }
    }
}

extension Field {
    /// Returns the names of the values in the field's bytes, given the numbers of earlier fields.
    fileprivate func names(with known: KnownNumbers) -> [String] {
        if case .bits(let set) = content { set.names(of: name, with: known) } else { names }
    }

    /// Returns the value that the formula of the field gives; a time is given in seconds since 1970-01-01.
    fileprivate func assigned(_ assignment: Expression, with known: KnownNumbers) throws(EncodingError) -> Value {
        guard let value = assignment.result(with: known) else {
            let missing = assignment.names.filter { known.value(of: $0) == nil }.sorted()
            if missing.isEmpty { throw .needs(field: name, "a result of \(assignment.text.quotedForMessage)") }
            throw .needs(field: name, missing.joined(separator: ", "))
        }
        guard type == .value(.timestamp), let seconds = value.number()?.integer else { return value }
        return UnixTime.decode(seconds: seconds)
    }

    /// Throws `EncodingError.invalid` if the given value differs from the result of the formula.
    fileprivate func check(_ given: Value?, is result: Value?) throws(EncodingError) {
        guard let given, let result, given != result else { return }
        if let number = result.number(), given.number(names: meaning?.values) == number { return }
        throw invalid("no value, or \(result), which follows from other fields", given)
    }

    /// Encodes the value in the record, or the number that follows from the other fields.
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

    /// Encodes a number that was derived from other fields.
    private func encodeFound(
        _ number: Decimal, to bytes: inout [UInt8], with known: KnownNumbers
    ) throws(EncodingError) {
        guard count == nil, case .number(let layout) = content, let limits = layout.type.integerRange else {
            return try encode(.number(number), to: &bytes, with: known)
        }
        let raw = try layout.meaning.raw(found: number, in: limits, field: name)
        bytes.append(raw, size: layout.type.size, endian: layout.endian)
    }
}

extension [UInt8] {
    /// Replaces the bytes of an unsigned number by the lowest bytes of another number.
    fileprivate mutating func replace(_ type: UnsignedType, at position: Int, with number: Int128) {
        var content: [UInt8] = []
        content.append(number, size: type.size, endian: type.endian)
        replaceSubrange(position..<position + type.size, with: content)
    }
}

extension Value {
    /// Whether a field with the value may have no bytes.
    fileprivate var isEmpty: Bool {
        switch self {
        case .null, .string(""): true
        case .list(let elements): elements.isEmpty
        default: false
        }
    }
}

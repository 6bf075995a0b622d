extension Field {
    private typealias Check = (Bool, String, String) throws(FormatError) -> Void

    /// Checks the field for contradictions; relations to other fields are checked by the format.
    ///
    /// - Parameters:
    ///   - index: The position of the field in its format, for the error.
    ///   - isLast: Whether the field is the last one of its format.
    ///   - allowsOuterNames: Whether a record may use names that no field defines.
    /// - Throws: `FormatError` for the first contradiction.
    func validate(at index: Int, isLast: Bool, allowsOuterNames: Bool) throws(FormatError) {
        func check(_ isRight: Bool, _ key: String, _ message: String) throws(FormatError) {
            if !isRight { throw FormatError("\(key): \(message)", index: index, key: key) }
        }
        try checkCount(isLast: isLast, check)
        switch content {
        case .number(let number): try number.meaning.check(in: number.integerRange, check)
        case .timestamp(let number): try number.meaning.check(in: number.integerRange, check)
        case .formula(let formula): try formula.meaning.check(in: nil, check)
        case .decimal(let meaning, let length, let terminator):
            try meaning.check(in: nil, check)
            try checkLength(length, isLast: isLast, check)
            try check(
                length != nil || terminator != nil || isLast, "length",
                "only the last field may reach to the end: add a length or until to \(name.quotedForMessage)")
        case .bits(let set): try set.check(check)
        case .text(let type, _, let length):
            try checkLength(length, isLast: isLast, check)
            try check(
                length != nil || isLast || assignment != nil, "length",
                "only the last field may reach to the end: add a length to \(name.quotedForMessage)")
            guard type == .utf16, case .exactly(let length) = length else { return }
            try check(length.isMultiple(of: 2), "length", "the length of a utf16 field is a multiple of 2 bytes")
        case .record(let record, let length):
            try checkLength(length, isLast: isLast, check)
            try check(!record.hasPositions, "fields", "the fields of a record are in wire order: remove at")
            do throws(FormatError) {
                try record.validate(allowsOuterNames: allowsOuterNames)
            } catch {
                throw FormatError(error.description, index: index, key: "fields")
            }
        case .objects: try check(isLast, "type", "objects reach to the end: they are the last field")
        case .json(let json):
            try check(isLast, "json", "a text in JSON reaches to the end: it is the last field")
            try json.validate(at: index)
        case .checksum(let checksum, let type, _):
            try check(index > 0 || (position ?? 0) > 0, "checksum", "a checksum needs at least one field before it")
            guard let size = checksum.size else { return }
            try check(
                size == type.size, "checksum",
                "\(checksum) has \(8 * size) bits, but a uint\(8 * type.size) has \(8 * type.size)")
        case .value, .address, .terminatedText, .size, .constant: break
        }
    }

    /// The advice in the place of a list of bits.
    static let adviceForLists =
        "a field with bits cannot be a list: write a list of records, such as {name: inputs, type: record, count: 3, "
        + "fields: [{name: flags, type: uint8, bits: {0: open}}]}"

    private func checkLength(_ length: Extent?, isLast: Bool, _ check: Check) throws(FormatError) {
        if case .exactly(let length) = length { try check(length > 0, "length", "the length must be at least 1 byte") }
        try check(
            length != .toTheEnd || isLast, "length", "only the last field may reach to the end: write a number of bytes"
        )
    }

    private func checkCount(isLast: Bool, _ check: Check) throws(FormatError) {
        switch count {
        case nil: return
        case .exactly(let count): try check(count > 0, "count", "the count must be at least 1")
        case .toTheEnd:
            try check(isLast, "count", "only the last field may reach to the end: write a number of elements")
        case .field, .formula: break
        }
        switch content {
        case .text(let type, _, let length):
            try check(
                length ?? .toTheEnd != .toTheEnd, "count", "each element of a list of \(type.rawValue) needs a length")
        case .record(_, let length):
            try check(length != .toTheEnd, "count", "each record of a list ends with its fields or has a length")
        case .decimal(_, let length, let terminator):
            try check(
                terminator != nil || length ?? .toTheEnd != .toTheEnd, "count",
                "each element of a list of decimal needs a length or until")
        case .bits: try check(false, "count", Self.adviceForLists)
        case .timestamp, .constant, .number, .value, .address, .terminatedText, .objects, .json, .formula, .size,
            .checksum:
            break
        }
    }
}

extension Meaning {
    /// Checks the scale, and whether the bytes can represent the raw numbers.
    ///
    /// `limits` is the range of raw numbers; nil for a number that is not a whole number.
    fileprivate func check(
        in limits: ClosedRange<Int128>?, _ check: (Bool, String, String) throws(FormatError) -> Void
    ) throws(FormatError) {
        try check(scale != 0, "scale", "the scale 0 makes all values equal")
        try check(
            scale.significand.magnitude < 1_000_000_000_000_000_000, "scale", "a scale has at most 18 digits")
        guard let limits else { return }
        let range = "from \(limits.lowerBound) to \(limits.upperBound), the raw numbers (before scale and offset)"
        for raw in unknown { try check(limits.contains(raw), "unknown", "\(raw) is not \(range)") }
        for entry in values?.entries ?? [] {
            try check(limits.contains(Int128(entry.number)), "values", "\(entry.number) is not \(range)")
        }
    }
}

extension BitSet {
    fileprivate func check(_ check: (Bool, String, String) throws(FormatError) -> Void) throws(FormatError) {
        var taken: Set<Int> = []
        for field in bits {
            try field.meaning.check(in: field.limits) { isRight, key, message throws(FormatError) in
                try check(isRight, "bits", "\(field.name): \(key): \(message)")
            }
            for bit in field.range {
                try check(
                    0..<8 * type.size ~= bit, "bits",
                    "a uint\(8 * type.size) has no bit \(bit): its bits are 0 to \(8 * type.size - 1)")
                try check(taken.insert(bit).inserted, "bits", "bit \(bit) has two names")
            }
        }
    }
}

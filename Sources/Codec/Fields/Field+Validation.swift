extension Field {
    /// The names that the field brings along: its own, or those of its bits.
    var names: [String] {
        bits.isEmpty ? [name] : (showsBitsAsNumber ? [name] : []) + bits.map(\.name)
    }

    /// Whether others can refer to its number, or to those of its bits.
    var isOneNumber: Bool { count == nil && (type.isNumber || type == .boolean) }

    private typealias Check = (Bool, String, String) throws(FormatError) -> Void

    /// Throws the first contradiction of a field by itself.
    func validate(at index: Int, isLast: Bool) throws(FormatError) {
        func check(_ isRight: Bool, _ key: String, _ message: String) throws(FormatError) {
            if !isRight { throw FormatError("\(key): \(message)", index: index, key: key) }
        }
        try checkMeaning(meaning, type.integerRange, check)
        try check(
            type.isNumber || (meaning.scale == 1 && meaning.offset == 0), "scale",
            "a \(type.rawValue) has no scale and no offset")
        try check(meaning.values == nil || type.isInteger || type == .number, "values", "only whole numbers have names")
        try checkLength(isLast: isLast, check)
        try checkCount(isLast: isLast, check)
        try checkBits(check)
        try checkRole(check)
        try checkChecksum(at: index, check)
        try check((type == .record) == (record != nil), "fields", "a record, and nothing else, has fields")
        try check((type == .objects) == (objects != nil), "type", "objects need their table")
        do throws(FormatError) {
            try record?.validate()
        } catch {
            throw FormatError(error.description, index: index, key: "fields")
        }
    }

    private func checkMeaning(
        _ meaning: Meaning, _ limits: ClosedRange<Int128>?, _ check: Check
    ) throws(FormatError) {
        try check(meaning.scale != 0, "scale", "0 would make every value the same")
        try check(
            meaning.scale.significand.magnitude < 1_000_000_000_000_000_000, "scale", "a scale has at most 18 digits")
        guard let limits else {
            return try check(
                meaning.unknown.isEmpty || type == .address || type == .number, "unknown",
                "only whole numbers have raw values for 'not known'")
        }
        let range = "from \(limits.lowerBound) to \(limits.upperBound), the raw numbers (before scale and offset)"
        for raw in meaning.unknown { try check(limits.contains(raw), "unknown", "\(raw) is not \(range)") }
        for entry in meaning.values?.entries ?? [] {
            try check(limits.contains(Int128(entry.number)), "values", "\(entry.number) is not \(range)")
        }
    }

    private func checkLength(isLast: Bool, _ check: Check) throws(FormatError) {
        let hasOwnLength = type.size != nil || type == .utf8z
        try check(length == nil || !hasOwnLength, "length", "a \(type.rawValue) has its own length")
        if case .exactly(let length) = length {
            try check(length > 0, "length", "a length is at least 1")
            try check(type != .utf16 || length.isMultiple(of: 2), "length", "each unit of a utf16 has two bytes")
        }
        let isOpen = [.utf8, .utf16, .bytes, .uuid, .version, .compressedURL, .objects].contains(type) && length == nil
        try check(!isOpen && length != .toTheEnd || isLast, "length", "only the last field may reach to the end")
    }

    private func checkCount(isLast: Bool, _ check: Check) throws(FormatError) {
        switch count {
        case nil: return
        case .exactly(let count): try check(count > 0, "count", "a count is at least 1")
        case .toTheEnd: try check(isLast, "count", "only the last field may reach to the end")
        case .field: break
        }
        let hasLength = type.size != nil || type == .utf8z || type == .record && length == nil
        try check(
            hasLength || length ?? .toTheEnd != .toTheEnd, "count", "each \(type.rawValue) of a list needs a length")
        try check(bits.isEmpty, "count", "a field with bits stands there once")
    }

    private func checkBits(_ check: Check) throws(FormatError) {
        guard !bits.isEmpty else { return }
        guard let limits = type.integerRange, let size = type.size, limits.lowerBound == 0 else {
            return try check(false, "bits", "only unsigned whole numbers have bits")
        }
        var taken: Set<Int> = []
        for field in bits {
            try checkMeaning(field.meaning, field.limits) { isRight, key, message throws(FormatError) in
                try check(isRight, "bits", "\(field.name): \(key): \(message)")
            }
            for bit in field.range {
                try check(0..<8 * size ~= bit, "bits", "a \(type.rawValue) has no bit \(bit)")
                try check(taken.insert(bit).inserted, "bits", "bit \(bit) has two names")
            }
        }
    }

    private func checkChecksum(at index: Int, _ check: Check) throws(FormatError) {
        guard let checksum else { return }
        try check(index > 0, "checksum", "there is no field before it that it could be of")
        guard let size = checksum.size else { return }
        let found = type.size ?? size
        try check(
            size == found, "checksum", "\(checksum.rawValue) has \(8 * size) bits, and a \(type.rawValue) \(8 * found)")
    }

    /// Checks what a field is for, other than to show its value.
    private func checkRole(_ check: Check) throws(FormatError) {
        let isUnsigned = type.integerRange?.lowerBound == 0
        let isPlain = count == nil && bits.isEmpty && meaning.values == nil && meaning.scale == 1 && meaning.offset == 0
        try check(checksum == nil || (isUnsigned && isPlain), "checksum", "a checksum is a plain unsigned number")
        try check(!isSizeOfRecord || (isUnsigned && isPlain), "size", "a size is a plain unsigned number")
        try check(type != .number || expression != nil, "value", "a number needs a formula; on the air it has a size")
        try check(
            expression == nil || [.number, .boolean].contains(type), "type",
            "what a formula calculates has no bytes: write number or boolean, not \(type.rawValue)")
        try check(
            expression == nil || (length == nil && count == nil && !isOptional), "value",
            "what is calculated has no bytes of its own")
    }
}

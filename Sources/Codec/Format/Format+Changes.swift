import JSON

/// Values that change only some fields: the other fields keep their last values.
extension Format {
    /// The shown quantities that a client can change one by one; empty for a single value, and for a format with an op code.
    ///
    /// Fields that depend on other fields are not among them: conditional ones, lengths, sizes, checksums, and results of
    /// formulas that do not determine a hidden number.
    package var changeableQuantities: [Quantity] {
        guard !hasOneValue, operationCode == nil else { return [] }
        let dependent = Set(fields.flatMap(\.extents) + fields.flatMap(\.bits).filter { !$0.when.isEmpty }.map(\.name))
        return fields.filter(canChange).flatMap(\.quantities).filter { !dependent.contains($0.name) }
    }

    private func canChange(_ field: Field) -> Bool {
        guard field.when.isEmpty, !field.isOptional, field.count == nil else { return false }
        switch field.content {
        case .number, .value, .text, .timestamp, .terminatedText, .decimal, .address: return true
        case .bits(let set): return !set.showsNumber
        case .formula(let formula):
            guard let source = formula.source else { return false }
            return fields.contains { $0.name == source && !$0.isShown && $0.wholeNumber != nil }
        case .constant, .record, .objects, .json, .size, .checksum: return false
        }
    }

    /// Returns whether a value that lacks a field may be completed by the last value of the device.
    ///
    /// - Parameter payload: A value that cannot be encoded because a field is missing.
    /// - Returns: True for a record of some of the fields. False for an operation, whose argument is no state.
    package func canComplete(_ payload: Value) -> Bool {
        guard !hasOneValue, operationCode == nil, case .record(let record) = payload else { return false }
        return !record.isEmpty
    }

    /// Encodes the last value with some changed fields.
    ///
    /// - Parameters:
    ///   - payload: The fields to change.
    ///   - last: The last value, as decoded: `Reading.value`.
    /// - Returns: The bytes of the whole value.
    /// - Throws: `EncodingError` for the first field that does not fit, and for a changed field that the whole value cannot
    ///   contain, because a condition excludes it.
    package func encode(_ payload: Value, changing last: Value) throws(EncodingError) -> [UInt8] {
        guard case .record(let changes) = try content(of: payload), case .record(let last) = last else {
            return try encode(payload)
        }
        var kept = last.filtered { !isOutdated($0, by: changes) }
        var bytes: [UInt8]
        do throws(EncodingError) {
            bytes = try encode(.record(changes.merged(over: kept)))
        } catch {
            // The changes exclude fields of the last value, e.g. those of the former mode.
            guard case .misplaced(let fields, _) = error, fields.allSatisfy({ changes[$0] == nil }) else { throw error }
            kept = kept.filtered { !fields.contains($0) }
            bytes = try encode(.record(changes.merged(over: kept)))
        }
        try check(changes, areIn: bytes, whole: changes.merged(over: kept))
        return bytes
    }

    /// Throws if the bytes lack a changed field: encoding ignores fields that a boolean turns off.
    private func check(_ changes: Record, areIn bytes: [UInt8], whole: Record) throws(EncodingError) {
        guard case .record(let written)? = try? decode(bytes).value else { return }
        let shown = quantities.map(\.name)
        for change in changes where change.value != .null && shown.contains(change.name) {
            guard written[change.name] == nil else { continue }
            throw .misplaced(fields: [change.name], rule: rule(for: change.name, in: whole))
        }
    }

    /// Returns whether the last value of a field does not apply any more: other fields determine it, and they change.
    private func isOutdated(_ name: String, by changes: Record) -> Bool {
        if changes[name] != nil { return false }
        let changed = fields.filter { field in field.names.contains { changes[$0] != nil } }
        if changed.flatMap(\.extents).contains(name) { return true }
        guard let field = fields.first(where: { $0.name == name }), case .formula(let formula) = field.content else {
            return false
        }
        let inputs = formula.expression.names
        // The result of hidden numbers is their only source, unless another result of them changes.
        if inputs.isSubset(of: quantities.map(\.name)) { return true }
        return changed.contains { other in
            if case .formula(let other) = other.content {
                !other.expression.names.isDisjoint(with: inputs)
            } else {
                false
            }
        }
    }
}

extension Field {
    /// The names of the fields that contain the length and the count.
    fileprivate var extents: [String] {
        [content.length, count].flatMap { $0?.names.sorted() ?? [] }
    }
}

extension Formula {
    /// The only name in the formula; nil if it has several names or none.
    fileprivate var source: String? {
        expression.names.count == 1 ? expression.names.first : nil
    }
}

extension Record {
    /// Returns the members whose names fulfil a condition.
    fileprivate func filtered(_ isKept: (String) -> Bool) -> Record {
        Record(filter { isKept($0.name) }.map { ($0.name, $0.value) })
    }

    /// Returns another record with the members of this one in the place of its own; records inside are merged too.
    fileprivate func merged(over other: Record) -> Record {
        var result = other
        for member in self {
            if case (.record(let inner), .record(let old)?) = (member.value, other[member.name]) {
                result[member.name] = .record(inner.merged(over: old))
            } else {
                result[member.name] = member.value
            }
        }
        return result
    }
}

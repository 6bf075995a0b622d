import JSON

/// The content of a field that is an unsigned number whose bits have their own names.
package struct BitSet: Hashable, Sendable {
    /// The size and the byte order of the number.
    package var type: UnsignedType
    /// The bits with names; they do not overlap.
    package var bits: [BitField]
    /// Whether the reading also shows the whole number, so that bits without a name are not lost.
    package var showsNumber = false

    package init(_ type: UnsignedType, _ bits: [BitField]) {
        self.type = type
        self.bits = bits
    }
}

extension BitSet {
    /// Decodes the bits of a raw number, and adds to `known` the numbers of the bits to which other fields refer.
    func decode(
        _ raw: Int128, field: String, references: Set<String>, known: inout KnownNumbers,
        to members: inout [Reading.Member]
    ) throws(DecodingError) {
        if showsNumber { members.append(Reading.Member(name: field, value: .number(Decimal(raw)))) }
        for bits in bits where references.contains(bits.name) {
            if let number = bits.known(in: raw) { known.set(bits.name, to: number) }
        }
        for bits in bits where (bits.isShown || bits.meaning.range != nil) && known.allow(bits.when) {
            let value = try bits.decode(raw)
            if bits.isShown { members.append(Reading.Member(name: bits.name, value: value, unit: bits.unit)) }
        }
    }

    /// Encodes the bits in the record and the bits that follow from the fields that are present.
    func encode(
        _ record: Record, field: String, known: KnownNumbers, to bytes: inout [UInt8]
    ) throws(EncodingError) {
        let whole = showsNumber ? record[field] : nil
        var raw =
            try whole.map { value throws(EncodingError) in
                try Meaning().raw(for: value, in: type.range, field: field)
            } ?? 0
        for bits in bits where known.allow(bits.when) {
            if let value = record[bits.name] {
                raw = raw & ~bits.mask | (try bits.encode(value))
            } else if whole == nil {
                raw |= try bits.encodeWithoutValue(known)
            }
        }
        bytes.append(raw, size: type.size, endian: type.endian)
    }

    /// Returns the names of the values that the bits have, given the numbers of earlier fields.
    func names(of field: String, with known: KnownNumbers) -> [String] {
        (showsNumber ? [field] : []) + bits.filter { known.allow($0.when) }.map(\.name)
    }
}

extension BitField {
    /// Returns the bits, at their positions, of a field for which the record has no value.
    fileprivate func encodeWithoutValue(_ known: KnownNumbers) throws(EncodingError) -> Int128 {
        if let number = known[name] { return bits(for: try meaning.raw(found: number, in: limits, field: name)) }
        if isShown { throw .missing(field: name) }
        return bits(for: meaning.placeholder)
    }
}

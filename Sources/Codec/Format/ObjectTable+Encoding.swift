import JSON

extension ObjectTable {
    /// Encodes the members of a record as objects, in their order: `temperature`, or `temperature_1`, `temperature_2`.
    ///
    /// If several objects have the same name, the first object that encodes the value exactly is used; otherwise the
    /// first object that can encode the value.
    func encode(_ record: Record, except others: [String]) throws(EncodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        var done = Set(others)
        for member in record where !done.contains(member.name) {
            let (base, suffix) = split(member.name)
            let candidates = layouts.sorted { $0.key < $1.key }.filter { $0.value.firstName == base }
            if candidates.isEmpty {
                throw .unknown(field: member.name, known: Set(layouts.values.compactMap(\.firstName)).sorted())
            }
            let names = candidates[0].value.fields.flatMap(\.names)
            let content = Record(names.compactMap { name in record[name + suffix].map { (name, $0) } })
            bytes += try encode(content, in: candidates)
            done.formUnion(names.map { $0 + suffix })
        }
        return bytes
    }

    private func encode(_ content: Record, in candidates: [(key: Int, value: Format)]) throws(EncodingError) -> [UInt8]
    {
        var inexact: [UInt8]?
        var failure: EncodingError?
        for (tag, layout) in candidates {
            do throws(EncodingError) {
                let value = try layout.encodeFields(content, with: KnownNumbers())
                let object = try framed(tag, value)
                var cursor = Cursor(0..<value.count)
                let back = try? layout.decodeFields(value.span, at: &cursor, with: KnownNumbers())
                if let back, Record(back.map { ($0.name, $0.value) }) == content { return object }
                inexact = inexact ?? object
            } catch {
                failure = failure ?? error
            }
        }
        if let inexact { return inexact }
        throw failure ?? .missing(field: content.names.first ?? "value")
    }

    private func framed(_ tag: Int, _ value: [UInt8]) throws(EncodingError) -> [UInt8] {
        func head(_ number: Int, _ type: UnsignedType) throws(EncodingError) -> [UInt8] {
            guard type.range.contains(Int128(number)) else {
                throw .invalid(field: "objects", expected: Meaning().expectation(type.range), found: "\(number)")
            }
            var bytes: [UInt8] = []
            bytes.append(Int128(number), size: type.size, endian: type.endian)
            return bytes
        }
        switch framing {
        case .tag(let type): return try head(tag, type) + value
        case .tagAndLength(let type, let length): return try head(tag, type) + head(value.count, length) + value
        case .lengthAndKind:
            // BTHome 1 can only be decoded.
            throw .invalid(field: "objects", expected: "a format that can be written", found: "BTHome 1")
        }
    }

    /// Splits a name such as `temperature_2` into name and suffix, unless it is the name of an object.
    private func split(_ name: String) -> (base: String, suffix: String) {
        if layouts.values.contains(where: { $0.firstName == name }) { return (name, "") }
        let parts = name.split(separator: "_")
        guard let last = parts.last, parts.count > 1, Int(last) != nil else { return (name, "") }
        return (String(name.dropLast(last.count + 1)), "_\(last)")
    }
}

extension Format {
    /// The name of an object: the name of its first shown field.
    fileprivate var firstName: String? {
        fields.first { $0.isShown }?.names.first
    }
}

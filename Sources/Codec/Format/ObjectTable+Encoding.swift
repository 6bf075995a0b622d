extension ObjectTable {
    /// Writes the members of a record as objects, in their order: `temperature`, or `temperature_1`, `temperature_2`.
    ///
    /// Of several objects for the same name the first is taken that says exactly the value; else the first that can.
    func encode(_ record: Record, except others: [String]) throws(EncodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        var done = Set(others)
        for member in record.members where !done.contains(member.name) {
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
        func head(_ number: Int, _ type: FieldType) throws(EncodingError) -> [UInt8] {
            var bytes: [UInt8] = []
            try Field("objects", type).encode(.number(Decimal(number)), to: &bytes, with: KnownNumbers())
            return bytes
        }
        switch framing {
        case .tag(let type): return try head(tag, type) + value
        case .tagAndLength(let type, let length): return try head(tag, type) + head(value.count, length) + value
        case .lengthAndKind:
            // The second version of the format is for writing.
            throw .invalid(field: "objects", expected: "a format that can be written", found: "BTHome 1")
        }
    }

    /// A name and the number after it, if it is not the name of an object as it stands.
    private func split(_ name: String) -> (base: String, suffix: String) {
        if layouts.values.contains(where: { $0.firstName == name }) { return (name, "") }
        let parts = name.split(separator: "_")
        guard let last = parts.last, parts.count > 1, Int(last) != nil else { return (name, "") }
        return (String(name.dropLast(last.count + 1)), "_\(last)")
    }
}

extension Format {
    /// What an object is known by.
    fileprivate var firstName: String? {
        fields.first { $0.isShown }?.names.first
    }
}

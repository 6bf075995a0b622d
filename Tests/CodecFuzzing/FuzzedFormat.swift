import Codec

/// A format that bytes choose, as a configuration could describe it: fields of any type with any keys, most of them
/// without a contradiction.
struct FuzzedFormat {
    private var source: ArraySlice<UInt8>
    private var names: [String] = []
    /// Whether everything that is read is shown: then it can be written again.
    private(set) var isComplete = true

    init(_ bytes: ArraySlice<UInt8>) {
        source = bytes
    }

    mutating func format(depth: Int = 0) -> Format {
        let count = 1 + next(5)
        return Format((0..<count).map { index in field(isLast: index == count - 1, depth: depth) })
    }

    /// A number below a limit; zeros where the bytes end.
    private mutating func next(_ limit: Int) -> Int {
        Int(source.popFirst() ?? 0) % limit
    }

    private mutating func chance(_ oneIn: Int) -> Bool {
        next(oneIn) == 1
    }

    private mutating func field(isLast: Bool, depth: Int) -> Field {
        let types = FieldType.configurable
        var field = Field("f\(names.count)", types[next(types.count)])
        field.endian = chance(2) ? .big : .little
        if let integers = field.type.integerRange { describe(&field, integers) }
        if field.type == .number || chance(12) { calculate(&field) }
        if field.type == .record {
            if depth < 3 { field.record = format(depth: depth + 1) } else { field.type = .uint8 }
        }
        let isSized = field.type.size != nil || field.expression != nil
        if !isSized, !isLast || chance(2) { field.length = extent(isLast: false) }
        if chance(5), field.expression == nil { field.count = extent(isLast: isLast) }
        if chance(5), let flag = earlier() { field.when = [condition(flag)] }
        if chance(12), field.expression == nil { field.isOptional = true }
        if chance(8) {
            field.isShown = false
            isComplete = false
        }
        names += field.bits.isEmpty ? [field.name] : field.bits.map(\.name)
        return field
    }

    private mutating func describe(_ field: inout Field, _ integers: ClosedRange<Int128>) {
        switch next(8) {
        case 0:
            field.scale = [0.1, 0.005, 2, -1, 0.35, 1000][next(6)]
            field.offset = [0, -40, 0.5, 273.15][next(4)]
        case 1: field.unknown = [next(2) == 0 ? integers.upperBound : integers.lowerBound]
        case 2: field.values = NamedValues([0: "none", 1: "one", 2 + next(100): "more"])
        case 3 where integers.lowerBound == 0:
            let middle = next(8)
            field.bits = [BitField("\(field.name)_low", 0...middle)]
            if middle < 7 { field.bits.append(BitField("\(field.name)_high", middle + 1...7)) }
            // Bits beyond them have no names, and are lost.
            isComplete = false
        case 4:
            field.checksum = Checksum.allCases[next(Checksum.allCases.count)]
        case 5:
            field.isSizeOfRecord = true
        default: break
        }
    }

    private mutating func calculate(_ field: inout Field) {
        guard let name = earlier() else {
            field.type = .uint8
            return
        }
        let formulas = [
            "\(name) * 3 - 1", "\(name) / 7", "if(\(name) > 2, \(name) << 3, null)", "min(max(\(name), 4), 40) % 5",
            "round(pow(\(name), 0.5), 2)", "!\(name) || \(name) & 6",
        ]
        field.type = chance(3) ? .boolean : .number
        field.expression = try? Expression(formulas[next(formulas.count)])
        (field.meaning, field.bits, field.checksum, field.isSizeOfRecord) = (Meaning(), [], nil, false)
    }

    private mutating func extent(isLast: Bool) -> Extent {
        if isLast, chance(2) { return .toTheEnd }
        if chance(2), let name = earlier() { return .field(name) }
        return .exactly(1 + next(5))
    }

    private mutating func condition(_ flag: String) -> Condition {
        switch next(3) {
        case 0: Condition(flag)
        case 1: Condition(flag, equals: next(3))
        default: Condition(flag, .unequal(next(3)))
        }
    }

    private mutating func earlier() -> String? {
        names.isEmpty ? nil : names[next(names.count)]
    }
}

import Codec

/// A format that bytes determine, as a configuration could describe it: fields of any type with any keys, mostly
/// without a contradiction.
struct FuzzedFormat {
    private var source: ArraySlice<UInt8>
    private var names: [String] = []
    /// Whether the reading shows everything that is decoded, so that it can be encoded again.
    private(set) var isComplete = true

    init(_ bytes: ArraySlice<UInt8>) {
        source = bytes
    }

    mutating func format(depth: Int = 0) -> Format {
        let count = 1 + next(5)
        return Format((0..<count).map { index in field(isLast: index == count - 1, depth: depth) })
    }

    /// Returns a number below a limit; 0 after the end of the bytes.
    private mutating func next(_ limit: Int) -> Int {
        Int(source.popFirst() ?? 0) % limit
    }

    private mutating func chance(_ oneIn: Int) -> Bool {
        next(oneIn) == 1
    }

    private mutating func field(isLast: Bool, depth: Int) -> Field {
        let types = FieldType.configurable
        var field = FieldDescription("f\(names.count)", types[next(types.count)])
        field.endian = chance(2) ? .big : .little
        if case .number(let type) = field.type, let integers = type.integerRange { describe(&field, integers) }
        if field.type == .calculated || chance(12) { calculate(&field) }
        if field.type == .record {
            if depth < 3 { field.fields = format(depth: depth + 1) } else { field.type = .number(.uint8) }
        }
        if isSized(field), !isLast || chance(2) { field.length = extent(isLast: false) }
        if chance(5), field.formula == nil { field.count = extent(isLast: isLast) }
        if chance(5), let flag = earlier() { field.when = [condition(flag)] }
        if chance(12), field.formula == nil { field.isOptional = true }
        if chance(8) {
            field.isShown = false
            isComplete = false
        }
        names += field.bits.isEmpty ? [field.name] : field.bits.map(\.name)
        // A field with a contradiction becomes a plain number.
        return (try? field.field()) ?? .number(field.name, .uint8)
    }

    /// Whether the field may have a length.
    private func isSized(_ field: FieldDescription) -> Bool {
        switch field.type {
        case .text, .record: field.formula == nil
        default: false
        }
    }

    private mutating func describe(_ field: inout FieldDescription, _ integers: ClosedRange<Int128>) {
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
            // Bits without a name are lost when the value is encoded again.
            isComplete = false
        case 4: field.checksum = Checksum.named[next(Checksum.named.count)].checksum
        case 5: field.isSize = true
        default: break
        }
    }

    private mutating func calculate(_ field: inout FieldDescription) {
        guard let name = earlier() else {
            field.type = .number(.uint8)
            return
        }
        let formulas = [
            "\(name) * 3 - 1", "\(name) / 7", "if(\(name) > 2, \(name) << 3, null)", "min(max(\(name), 4), 40) % 5",
            "round(pow(\(name), 0.5), 2)", "!\(name) || \(name) & 6",
        ]
        let description = field
        field = FieldDescription(description.name, chance(3) ? .value(.boolean) : .calculated)
        field.endian = description.endian
        field.formula = try? Expression(formulas[next(formulas.count)])
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

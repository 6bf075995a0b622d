/// A function of a whole list or a whole text, which has a name: `sum(voltages)`, `digit(pin, 0)`.
///
/// Elements of a list that are not known are ignored.
enum ValueFunction: String, Hashable, Sendable, CaseIterable {
    case least = "min"
    case greatest = "max"
    case sum
    case mean
    /// The number of known elements.
    case count
    /// The CRC-32 (ISO-HDLC) of a text in UTF-8.
    case crc32
    /// The digit at a position of a text, from 0 on.
    case digit

    /// The number of operands, the name included.
    var operandCount: Int { self == .digit ? 2 : 1 }

    /// Whether the operand is the name of a text, and not of a list.
    var takesText: Bool { self == .crc32 || self == .digit }

    /// Whether the result for exact numbers is exact.
    var isExact: Bool { self != .mean }

    /// Returns the result; nil if it is not known.
    func apply(to value: Value, _ others: [Decimal]) -> Decimal? {
        switch value {
        case .list(let elements) where !takesText:
            let known = elements.filter { $0 != .null }
            let numbers = known.compactMap { $0.number() }
            return numbers.count == known.count ? apply(to: numbers) : nil
        case .string(let text) where takesText: return apply(to: text, others.first)
        default: return nil
        }
    }

    private func apply(to numbers: [Decimal]) -> Decimal? {
        let sum = numbers.reduce(Optional(Decimal.zero)) { sum, number in sum?.adding(number) }
        return switch self {
        case .least: numbers.min()
        case .greatest: numbers.max()
        case .sum: sum
        case .mean: sum?.divided(by: Decimal(numbers.count))
        case .count: Decimal(numbers.count)
        case .crc32, .digit: nil
        }
    }

    private func apply(to text: String, _ position: Decimal?) -> Decimal? {
        switch self {
        case .crc32: return Decimal(Checksum.crc32(text.utf8))
        case .digit:
            guard let position = position?.integer, let byte = text.utf8.dropFirst(max(position, 0)).first,
                position >= 0, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            else { return nil }
            return Decimal(Int(byte - UInt8(ascii: "0")))
        case .least, .greatest, .sum, .mean, .count: return nil
        }
    }
}

import JSON

/// The number of a field, or of bits of a field, that determines which other fields are present: a flag or an op code.
struct Selector {
    let name: String
    private let meaning: Meaning
    /// The raw numbers that the selector can have; nil if the selector is not a whole number.
    private let limits: ClosedRange<Int128>?
    private let isShown: Bool
    /// The name of the field whose reading shows its whole number, and the selector's bits in that number; nil if none.
    private let whole: (name: String, bits: BitField)?

    init(_ field: Field) {
        name = field.name
        let number = field.wholeNumber
        meaning = field.meaning ?? number?.meaning ?? Meaning()
        switch field.content {
        case .value(.boolean, _), .value(.bit, _): limits = 0...1
        default: limits = number?.range
        }
        isShown = field.isShown
        whole = nil
    }

    init(_ bits: BitField, of set: BitSet, named field: String) {
        name = bits.name
        meaning = bits.meaning
        limits = bits.limits
        isShown = bits.isShown
        whole = set.showsNumber ? (field, bits) : nil
    }

    /// Whether the selector is shown and has names, among which a person chooses.
    var isChoice: Bool { isShown && limits != 0...1 && meaning.values != nil }

    /// Returns whether the record contains the number; true for null, too.
    func isGiven(by record: Record) -> Bool {
        record[name] != nil || whole.map { record[$0.name] != nil } ?? false
    }

    func number(in record: Record) -> Decimal? {
        if let value = record[name] { return value.number(names: meaning.values) }
        guard let whole, let raw = record[whole.name]?.number()?.wholeNumber else { return nil }
        return whole.bits.known(in: raw)
    }

    struct Candidate {
        let number: Decimal
        let isExpressible: Bool
        /// Whether the selector is hidden, and the number is neither in a condition nor one of the first two numbers.
        let isUnlikely: Bool
    }

    /// Returns the numbers in the conditions and up to two other numbers, sorted by magnitude.
    ///
    /// The other numbers represent all numbers that are not in the conditions. If both fit, the number is ambiguous.
    func candidates(for conditions: [Condition]) -> [Candidate] {
        let named = Set(conditions.compactMap(\.number).map { Decimal($0) })
        let usual = numbers(atLeast: named.count + 2).filter(canExpress)
        // Conditions that only test for 0 treat the number as a flag.
        let others = usual.filter { !named.contains($0) }.prefix(named == [.zero] ? 1 : 2)
        return named.union(others).sorted { ($0.magnitude, $0) < ($1.magnitude, $1) }.map {
            Candidate(
                number: $0, isExpressible: canExpress($0),
                isUnlikely: !isShown && !named.contains($0) && !usual.prefix(2).contains($0))
        }
    }

    /// Returns all named numbers if the names are complete; otherwise 0, 1 and the values of the first raw numbers.
    private func numbers(atLeast count: Int) -> [Decimal] {
        if let values = meaning.values, values.isComplete { return values.entries.map { Decimal($0.number) } }
        let scaled = (0..<count + meaning.unknown.count).compactMap { meaning.scaled(Int128($0)) }
        return [0, 1] + scaled.filter { $0 != 0 && $0 != 1 }
    }

    private func canExpress(_ number: Decimal) -> Bool {
        limits.map { (try? meaning.raw(found: number, in: $0, field: name)) != nil } ?? true
    }
}

extension Condition {
    /// The number in the condition.
    fileprivate var number: Int? {
        switch requirement {
        case .set: nil
        case .equal(let number), .unequal(let number): number
        }
    }
}

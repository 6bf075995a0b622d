/// A number, of a field or of its bits, that decides which other fields are there: a flag, an op code.
struct Selector {
    let name: String
    private let meaning: Meaning
    /// The raw numbers that it can hold; nil for what is no whole number.
    private let limits: ClosedRange<Int128>?
    private let isShown: Bool
    /// The field that shows the number of all its bits, and which of them this is.
    private let whole: (name: String, bits: BitField)?

    init(_ field: Field) {
        name = field.name
        meaning = field.meaning
        limits = field.type == .boolean ? 0...1 : field.type.integerRange
        isShown = field.isShown
        whole = nil
    }

    init(_ bits: BitField, of field: Field) {
        name = bits.name
        meaning = bits.meaning
        limits = bits.limits
        isShown = bits.isShown
        whole = field.showsBitsAsNumber ? (field.name, bits) : nil
    }

    /// Whether it is for a person to choose among names for more than yes and no; a mere number is 0 if nobody says more.
    var isChoice: Bool { isShown && limits != 0...1 && meaning.values != nil }

    /// Whether a record says what it is, be it that it is not known.
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
        let canBeSaid: Bool
        /// Whether no condition names it, and it is none of the two least: nobody would think of it.
        let isFarFetched: Bool
    }

    /// The numbers that conditions name, and two of the others, the least magnitude first.
    ///
    /// Two stand for all others: where both do, there is more than one answer.
    func candidates(for conditions: [Condition]) -> [Candidate] {
        let named = Set(conditions.compactMap(\.number).map { Decimal($0) })
        let usual = numbers(atLeast: named.count + 2).filter(canSay)
        // Conditions that ask for nothing but whether it is zero take it for a flag.
        let others = usual.filter { !named.contains($0) }.prefix(named == [.zero] ? 1 : 2)
        return named.union(others).sorted { ($0.magnitude, $0) < ($1.magnitude, $1) }.map {
            Candidate(
                number: $0, canBeSaid: canSay($0),
                isFarFetched: !isShown && !named.contains($0) && !usual.prefix(2).contains($0))
        }
    }

    /// The numbers of which it can say the first, as many as are asked for if there are as many: 0 and 1 come first.
    private func numbers(atLeast count: Int) -> [Decimal] {
        if let values = meaning.values, values.isComplete { return values.entries.map { Decimal($0.number) } }
        let scaled = (0..<count + meaning.unknown.count).compactMap { meaning.scaled(Int128($0)) }
        return [0, 1] + scaled.filter { $0 != 0 && $0 != 1 }
    }

    private func canSay(_ number: Decimal) -> Bool {
        limits.map { (try? meaning.raw(found: number, in: $0, field: name)) != nil } ?? true
    }
}

extension Condition {
    /// The number that it names.
    fileprivate var number: Int? {
        switch requirement {
        case .set: nil
        case .equal(let number), .unequal(let number): number
        }
    }
}

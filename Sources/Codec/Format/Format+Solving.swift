/// Numbers that a reading hides, and that follow from what formulas make of them: a degree tells the raw number.
extension Format {
    /// The hidden whole numbers of which formulas make what a record says, to the nearest step; what they answer is
    /// taken out of the record.
    func solutions(of record: inout Record) -> [(name: String, number: Decimal)] {
        var solutions: [(name: String, number: Decimal)] = []
        for field in fields where !field.isShown && field.type.isInteger && record[field.name] == nil {
            let formula = fields.first { $0.expression?.names == [field.name] && record[$0.name]?.number() != nil }
            guard let formula, let result = record[formula.name]?.number(),
                let number = field.solution(of: formula, for: result)
            else { continue }
            solutions.append((field.name, number))
            record[formula.name] = nil
        }
        return solutions
    }
}

extension Field {
    /// The number of this field for which a formula over it has a result; nil unless the formula is a straight line.
    fileprivate func solution(of formula: Field, for result: Decimal) -> Decimal? {
        guard let start = formula.result(of: name, being: .zero),
            let slope = formula.result(of: name, being: 1)?.subtracting(start), slope != .zero,
            let exact = result.subtracting(start)?.divided(by: slope),
            let steps = exact.subtracting(meaning.offset)?.steps(of: meaning.scale),
            type.integerRange?.contains(steps) ?? false, let number = meaning.scaled(steps),
            let difference = formula.result(of: name, being: number)?.subtracting(result),
            let step = slope.multiplied(by: meaning.scale), difference.magnitude < step.magnitude
        else { return nil }
        return number
    }

    /// What this formula makes of another field's number.
    private func result(of name: String, being number: Decimal) -> Decimal? {
        var known = KnownNumbers()
        known.set(name, to: number)
        return expression.flatMap { try? calculate($0, with: known).number() }
    }
}

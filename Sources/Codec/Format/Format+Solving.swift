import JSON

/// Derives hidden raw numbers from the results of formulas: a temperature in °C determines its raw number.
extension Format {
    /// Returns the hidden whole numbers that the results of formulas determine, and removes these results from the
    /// record.
    ///
    /// - Throws: `EncodingError.invalid` for a result outside the range that can be written.
    func solutions(of record: inout Record) throws(EncodingError) -> [(name: String, number: Decimal)] {
        var solutions: [(name: String, number: Decimal)] = []
        for field in fields where !field.isShown && record[field.name] == nil {
            guard let layout = field.wholeNumber, let (name, formula) = formula(over: field.name, in: record),
                let result = record[name]?.number(),
                let number = formula.argument(field.name, layout.range, layout.meaning, for: result)
            else { continue }
            guard formula.meaning.allows(result) else {
                throw .invalid(
                    field: name, expected: formula.meaning.expectation(nil), found: Value.number(result).description)
            }
            solutions.append((field.name, number))
            record[name] = nil
        }
        return solutions
    }

    /// Returns the first formula that refers only to the field `name` and whose result is in the record.
    private func formula(over name: String, in record: Record) -> (name: String, formula: Formula)? {
        for field in fields {
            guard case .formula(let formula) = field.content, formula.expression.names == [name],
                record[field.name]?.number() != nil
            else { continue }
            return (field.name, formula)
        }
        return nil
    }
}

extension Formula {
    /// Returns the number of a field for which the formula has the given result; nil if the formula is not linear.
    ///
    /// The formula refers only to the field `name`, whose raw numbers have the given range and meaning.
    fileprivate func argument(
        _ name: String, _ range: ClosedRange<Int128>, _ meaning: Meaning, for result: Decimal
    ) -> Decimal? {
        guard let start = self.result(of: name, being: .zero),
            let slope = self.result(of: name, being: 1)?.subtracting(start), slope != .zero,
            let exact = result.subtracting(start)?.divided(by: slope),
            let steps = exact.subtracting(meaning.offset)?.steps(of: meaning.scale),
            range.contains(steps), let number = meaning.scaled(steps),
            let difference = self.result(of: name, being: number)?.subtracting(result),
            let step = slope.multiplied(by: meaning.scale), difference.magnitude < step.magnitude
        else { return nil }
        return number
    }

    private func result(of name: String, being number: Decimal) -> Decimal? {
        var known = KnownNumbers()
        known.set(name, to: number)
        return (try? value(with: known, field: name))?.number()
    }
}

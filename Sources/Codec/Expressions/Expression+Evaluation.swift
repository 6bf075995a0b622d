import Glibc

extension Expression {
    /// Returns the value of the expression; nil if a number is not known, for a division by zero, and if the result
    /// does not fit 128 bits.
    func value(with numbers: KnownNumbers) -> Decimal? {
        root.value(with: numbers)
    }

    /// Returns the number, or the text or the list of an expression that is only a name; nil as above.
    func result(with known: KnownNumbers) -> Value? {
        if case .name(let name) = root { return known.value(of: name) }
        return root.value(with: known).map { .number($0) }
    }

    /// Returns the value of the expression for named numbers, texts and lists; nil as above.
    ///
    /// Of two values with one name, the last counts.
    package func value(with values: [(name: String, value: Value)]) -> Decimal? {
        var known = KnownNumbers()
        for (name, value) in values { known.set(name, to: value) }
        return root.value(with: known)
    }
}

extension Expression.Node {
    fileprivate func value(with numbers: KnownNumbers) -> Decimal? {
        switch self {
        case .number(let number): return number
        case .unknown: return nil
        case .name(let name): return numbers[name]
        case .call(.choose, let operands):
            guard let condition = operands[0].value(with: numbers) else { return nil }
            return operands[condition != .zero ? 1 : 2].value(with: numbers)
        case .call(let function, let operands):
            var values: [Decimal] = []
            for operand in operands {
                guard let value = operand.value(with: numbers) else { return nil }
                values.append(value)
            }
            return function.apply(values)
        case .callOnValue(let function, let name, let operands):
            var values: [Decimal] = []
            for operand in operands {
                guard let value = operand.value(with: numbers) else { return nil }
                values.append(value)
            }
            return numbers.value(of: name).flatMap { function.apply(to: $0, values) }
        }
    }
}

extension ExpressionFunction {
    /// - Precondition: The number of operands is allowed for the function.
    fileprivate func apply(_ operands: [Decimal]) -> Decimal? {
        let first = operands[0]
        let second = operands.count > 1 ? operands[1] : .zero
        return switch self {
        case .negate: -first
        case .not: Decimal(truth: first == .zero)
        case .add: first.adding(second)
        case .subtract: first.subtracting(second)
        case .multiply: first.multiplied(by: second) ?? first.shortened.multiplied(by: second.shortened)
        case .divide: first.divided(by: second)
        case .remainder: whole(first, second) { $1 == 0 || $1 == -1 ? nil : $0 % $1 }
        case .and: whole(first, second) { $0 & $1 }
        case .or: whole(first, second) { $0 | $1 }
        case .shiftLeft: whole(first, second) { 0..<64 ~= $1 && $0.magnitude < 1 << 63 ? $0 << $1 : nil }
        case .shiftRight: whole(first, second) { 0..<128 ~= $1 ? $0 >> $1 : nil }
        case .equal: Decimal(truth: first == second)
        case .unequal: Decimal(truth: first != second)
        case .less: Decimal(truth: first < second)
        case .lessOrEqual: Decimal(truth: first <= second)
        case .greater: Decimal(truth: first > second)
        case .greaterOrEqual: Decimal(truth: first >= second)
        case .both: Decimal(truth: first != .zero && second != .zero)
        case .either: Decimal(truth: first != .zero || second != .zero)
        case .minimum: operands.min()
        case .maximum: operands.max()
        case .absolute: first.magnitude
        case .floor: first.rounded(toPlaces: 0, down: true)
        case .round: second.integer.flatMap { -30...30 ~= $0 ? first.rounded(toPlaces: $0) : nil }
        // `pow` is not exact, but formulas use it only for curves, whose results are rounded.
        case .power: Decimal(Glibc.pow(first.doubleValue, second.doubleValue))
        case .choose: nil
        case .ceiling: first.rounded(toPlaces: 0, down: true).map { $0 == first ? $0 : $0.adding(1) } ?? nil
        case .clamp: min(max(first, second), operands[2])
        case .squareRoot: Decimal(first.doubleValue.squareRoot())
        case .exponential: Decimal(Glibc.exp(first.doubleValue))
        case .logarithm: Decimal(Glibc.log(first.doubleValue))
        case .ones: first.wholeNumber.flatMap { $0 < 0 ? nil : Decimal($0.nonzeroBitCount) }
        case .dewPoint: MoistAir(first, humidity: second)?.dewPoint.flatMap { Decimal($0) }
        case .absoluteHumidity: MoistAir(first, humidity: second).flatMap { Decimal($0.absoluteHumidity) }
        case .vapourPressureDeficit: MoistAir(first, humidity: second).flatMap { Decimal($0.vapourPressureDeficit) }
        }
    }

    private func whole(_ first: Decimal, _ second: Decimal, _ combine: (Int128, Int128) -> Int128?) -> Decimal? {
        guard let first = first.wholeNumber, let second = second.wholeNumber else { return nil }
        // The least number has no magnitude that fits 128 bits.
        return combine(first, second).flatMap { $0 == .min ? nil : Decimal($0) }
    }
}

extension Decimal {
    fileprivate init(truth: Bool) {
        self = truth ? 1 : 0
    }
}

import Codec

/// A condition as it is written in `when`: `FLAG`, `not FLAG`, `FIELD = 2`, or `FIELD = open` with a name of a value.
struct WrittenCondition: Sendable {
    /// The name that is tested.
    let flag: String
    private let requirement: @Sendable (Int) -> Condition.Requirement
    /// The number, or the name of a number of the field.
    private let operand: String

    init(_ text: String) {
        if text.hasPrefix("not ") {
            self.init(String(text.dropFirst(4)), { .equal($0) }, "0")
        } else if let (flag, operand) = text.cut(at: " != ") {
            self.init(String(flag), { .unequal($0) }, String(operand))
        } else if let (flag, operand) = text.cut(at: " == ") ?? text.cut(at: " = ") {
            self.init(String(flag), { .equal($0) }, String(operand))
        } else {
            self.init(text, { _ in .set }, "0")
        }
    }

    private init(
        _ flag: String, _ requirement: @escaping @Sendable (Int) -> Condition.Requirement, _ operand: String
    ) {
        (self.flag, self.requirement, self.operand) = (flag, requirement, operand)
    }

    /// Returns whether the condition holds for the parameters of the device; nil if it names none of them.
    ///
    /// - Throws: `InvalidValue` if the operand or the parameter is no number.
    func holds(for parameters: [String: Decimal?]) throws(InvalidValue) -> Bool? {
        guard let parameter = parameters[flag] else { return nil }
        guard let number = parameter else {
            throw "the parameter \(flag.quotedForMessage) is a text: a condition compares numbers"
        }
        return Condition(flag, requirement(try Int(yaml: operand))).holds(for: number)
    }

    /// Returns the condition, in which a number replaces the name of a value.
    ///
    /// - Parameters:
    ///   - earlier: The fields before the field that has the condition.
    ///   - allowsOuterNames: Whether the condition may use a name that no field defines.
    /// - Returns: The condition.
    /// - Throws: `InvalidValue` if the operand is neither a number nor a name of a value.
    func condition(after earlier: [Field], allowsOuterNames: Bool) throws(InvalidValue) -> Condition {
        guard let field = earlier.last(where: { $0.isNamed(flag) }) else {
            // The check of the format reports an unknown field.
            return Condition(flag, requirement(allowsOuterNames ? try Int(yaml: operand) : 0))
        }
        guard let values = field.values(of: flag), !(operand.first?.isNumber ?? false) else {
            return Condition(flag, requirement(try Int(yaml: operand)))
        }
        guard let number = values.number(of: operand) else {
            throw InvalidValue(unknown: "value of \(flag.quotedForMessage)", operand, among: values.entries.map(\.name))
        }
        return Condition(flag, requirement(number))
    }
}

extension Field {
    fileprivate func isNamed(_ name: String) -> Bool {
        self.name == name || bits.contains { $0.name == name }
    }

    /// The names of the numbers of this field, or of its bits with the given name; nil if there are none.
    fileprivate func values(of name: String) -> NamedValues? {
        if let bits = bits.first(where: { $0.name == name }) { return bits.values }
        return self.name == name ? meaning?.values : nil
    }
}

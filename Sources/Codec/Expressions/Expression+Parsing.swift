extension Expression {
    /// Parses a formula.
    ///
    /// - Throws: `ExpressionError` with the position of the first mistake.
    package init(_ text: String) throws(ExpressionError) {
        var parser = ExpressionParser(text)
        root = try parser.parse()
        self.text = text
    }
}

/// A parser that reads an expression from left to right, with one level for each precedence.
private struct ExpressionParser {
    // Without a limit, a long row of brackets would exhaust the stack. No formula of a known device nests deeper.
    private static let deepest = 32
    // A row of operators makes a tree as deep as the row is long.
    private static let longest = 256

    private let text: String
    private var rest: Substring
    private var depth = 0
    private var operators = 0

    init(_ text: String) {
        self.text = text
        rest = text[...]
    }

    mutating func parse() throws(ExpressionError) -> Expression.Node {
        let node = try operation(ExpressionFunction.infix.count - 1)
        skipSpaces()
        if !rest.isEmpty { throw unexpected("an operator") }
        return node
    }

    /// Parses operands and the operators between them; `level` is the index of the loosest level in `infix`.
    private mutating func operation(_ level: Int) throws(ExpressionError) -> Expression.Node {
        guard level >= 0 else { return try operand() }
        var node = try operation(level - 1)
        while let function = takeOperator(level) {
            operators += 1
            guard operators <= Self.longest else {
                throw ExpressionError(description: "a formula has at most \(Self.longest) operators")
            }
            node = .call(function, [node, try operation(level - 1)])
        }
        return node
    }

    private mutating func takeOperator(_ level: Int) -> ExpressionFunction? {
        skipSpaces()
        // The longest operator wins: `<` must not match the beginning of `<<` or `<=`.
        let candidates = ExpressionFunction.infix.joined().filter { rest.hasPrefix($0.rawValue) }
        guard let found = candidates.max(by: { $0.rawValue.count < $1.rawValue.count }),
            ExpressionFunction.infix[level].contains(found)
        else { return nil }
        rest = rest.dropFirst(found.rawValue.count)
        return found
    }

    private mutating func operand() throws(ExpressionError) -> Expression.Node {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else {
            throw ExpressionError(description: "\(text.quotedForMessage) is nested too deeply")
        }
        if take("-") { return .call(.negate, [try operand()]) }
        if take("!") { return .call(.not, [try operand()]) }
        if take("(") {
            let node = try operation(ExpressionFunction.infix.count - 1)
            guard take(")") else { throw unexpected("')'") }
            return node
        }
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        guard let first = word.first else { throw unexpected("a number or a name") }
        rest = rest.dropFirst(word.count)
        if first.isNumber { return .number(try number(word)) }
        if word == "null" { return .unknown }
        return take("(") ? try call(String(word)) : .name(String(word))
    }

    private func number(_ word: Substring) throws(ExpressionError) -> Decimal {
        if word.hasPrefix("0x"), let number = UInt64(word.dropFirst(2), radix: 16) { return Decimal(number) }
        guard let number = Decimal(String(word)) else {
            let (part, whole) = (String(word).quotedForMessage, text.quotedForMessage)
            throw ExpressionError(description: "\(part) in \(whole) is not a number")
        }
        return number
    }

    private mutating func call(_ name: String) throws(ExpressionError) -> Expression.Node {
        guard let function = ExpressionFunction(rawValue: name), let counts = ExpressionFunction.named[function] else {
            let known = ExpressionFunction.named.keys.map(\.rawValue).sorted().joined(separator: ", ")
            throw ExpressionError(description: "unknown function \(name.quotedForMessage): the functions are \(known)")
        }
        var operands = [try operation(ExpressionFunction.infix.count - 1)]
        while take(",") { operands.append(try operation(ExpressionFunction.infix.count - 1)) }
        guard take(")") else { throw unexpected("')'") }
        guard counts.contains(operands.count) else {
            throw ExpressionError(
                description:
                    "\(name) needs \(counts.lowerBound) \(counts.lowerBound == 1 ? "value" : "values"), found \(operands.count)"
            )
        }
        return .call(function, operands)
    }

    private mutating func take(_ character: Character) -> Bool {
        skipSpaces()
        guard rest.first == character else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func skipSpaces() {
        rest = rest.drop { $0 == " " }
    }

    /// Returns the form here for an operator of another language; empty if it has none.
    private static func advice(for rest: Substring) -> String {
        for (sign, form) in [
            ("*", "pow(a, 2)"), ("^", "pow(a, 2)"), ("?", "if(a > 3, 1, 0)"), (":", "if(a > 3, 1, 0)"),
            ("and ", "a && b"), ("or ", "a || b"), ("not ", "!a"), ("=", "a == b"), ("div ", "floor(a / b)"),
            ("mod ", "a % b"), ("if ", "if(a > 3, 1, 0)"),
        ] where rest.hasPrefix(sign) { return ": write \(form)" }
        return ""
    }

    private func unexpected(_ expected: String) -> ExpressionError {
        let whole = text.quotedForMessage
        let place = rest.isEmpty ? "at the end of \(whole)" : "before \(String(rest).quotedForMessage) in \(whole)"
        return ExpressionError(description: "expected \(expected) \(place)\(Self.advice(for: rest))")
    }
}

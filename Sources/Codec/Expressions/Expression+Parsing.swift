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
        let node = try operation()
        skipSpaces()
        if !rest.isEmpty { throw unexpected("an operator") }
        return node
    }

    /// Parses operands and the operators between them, up to the level `loosest` in `ExpressionFunction.infix`.
    private mutating func operation(_ loosest: Int = Int.max) throws(ExpressionError) -> Expression.Node {
        var node = try operand()
        while let (sign, level) = nextOperator(), level <= loosest {
            rest = rest.dropFirst(sign.rawValue.utf8.count)
            operators += 1
            guard operators <= Self.longest else {
                throw ExpressionError(description: "a formula has at most \(Self.longest) operators")
            }
            // Operators of the same level are carried out from left to right.
            node = .call(sign, [node, try operation(level - 1)])
        }
        return node
    }

    /// Returns the operator at which the parser is, and the index of its level in `infix`.
    private mutating func nextOperator() -> (ExpressionFunction, level: Int)? {
        skipSpaces()
        // The longest operator wins: `<` must not match the beginning of `<<` or `<=`.
        return Self.infix[rest.prefix(2)] ?? Self.infix[rest.prefix(1)]
    }

    /// The operators by their signs, each with the index of its level.
    private static let infix: [Substring: (ExpressionFunction, level: Int)] = Dictionary(
        uniqueKeysWithValues: ExpressionFunction.infix.enumerated().flatMap { level, functions in
            functions.map { (Substring($0.rawValue), ($0, level)) }
        })

    private mutating func operand() throws(ExpressionError) -> Expression.Node {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else {
            throw ExpressionError(description: "\(text.quotedForMessage) is nested too deeply")
        }
        if take("-") { return .call(.negate, [try operand()]) }
        if take("!") { return .call(.not, [try operand()]) }
        if take("(") {
            let node = try operation()
            guard take(")") else { throw unexpected("')'") }
            return node
        }
        let word = rest.prefix(while: Self.isPartOfWord)
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
        let function = ExpressionFunction(rawValue: name).flatMap { ExpressionFunction.named[$0] == nil ? nil : $0 }
        let valueFunction = ValueFunction(rawValue: name)
        guard function != nil || valueFunction != nil else {
            let names = ExpressionFunction.named.keys.map(\.rawValue) + ValueFunction.allCases.map(\.rawValue)
            let known = Set(names).sorted()
            // `Math.sqrt`, or a function of C.
            let meant = Self.functionsElsewhere[name] ?? name.split(separator: ".").last.map(String.init) ?? name
            let advice =
                known.contains(meant) ? "write \(meant)" : "the functions are \(known.joined(separator: ", "))"
            throw ExpressionError(description: "unknown function \(name.quotedForMessage): \(advice)")
        }
        var operands = [try operation()]
        while take(",") { operands.append(try operation()) }
        guard take(")") else { throw unexpected("')'") }
        if let valueFunction, operands.count == valueFunction.operandCount {
            return try call(valueFunction, operands)
        }
        let counts = function.flatMap { ExpressionFunction.named[$0] }
        guard let function, let counts, counts.contains(operands.count) else {
            let least = counts?.lowerBound ?? valueFunction?.operandCount ?? 1
            throw ExpressionError(
                description: "\(name) needs \(least) \(least == 1 ? "value" : "values"), found \(operands.count)")
        }
        return .call(function, operands)
    }

    private func call(_ function: ValueFunction, _ operands: [Expression.Node]) throws(ExpressionError)
        -> Expression.Node
    {
        guard case .name(let name) = operands[0] else {
            let kind = function.takesText ? "text" : "list"
            throw ExpressionError(
                description: "\(function.rawValue) needs the name of a \(kind) in \(text.quotedForMessage)")
        }
        return .callOnValue(function, name, Array(operands.dropFirst()))
    }

    private static func isPartOfWord(_ character: Character) -> Bool {
        // The tables of Unicode are slow, and nearly all formulas are ASCII.
        guard let byte = character.asciiValue else { return character.isLetter || character.isNumber }
        return switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// Takes one ASCII character, if it is the next one after spaces.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpaces()
        guard rest.unicodeScalars.first == character else { return false }
        rest.unicodeScalars.removeFirst()
        return true
    }

    private mutating func skipSpaces() {
        while rest.utf8.first == 0x20 { rest.unicodeScalars.removeFirst() }
    }

    /// The functions of formulas, by their names in other languages.
    private static let functionsElsewhere = [
        "log": "ln", "sqr": "pow", "fabs": "abs", "trunc": "floor", "int": "floor", "ternary": "if", "iif": "if",
        "power": "pow", "root": "sqrt", "limit": "clamp", "constrain": "clamp", "minimum": "min", "maximum": "max",
        "avg": "mean", "average": "mean", "len": "count", "popcount": "ones", "total": "sum",
    ]

    /// Returns the form here for an operator of another language; empty if it has none.
    private static func advice(for rest: Substring) -> String {
        for (sign, form) in [
            ("{{", "the formula without braces"), ("/", "floor(a / b)"), (";", "',' between values"),
            ("*", "pow(a, 2)"), ("^", "pow(a, 2)"), ("?", "if(a > 3, 1, 0)"), (":", "if(a > 3, 1, 0)"),
            ("and ", "a && b"), ("or ", "a || b"), ("not ", "!a"), ("=", "a == b"), ("div ", "floor(a / b)"),
            ("mod ", "a % b"), ("if ", "if(a > 3, 1, 0)"), (",", "a decimal point: 1.8"),
        ] where rest.hasPrefix(sign) { return ": write \(form)" }
        return ""
    }

    private func unexpected(_ expected: String) -> ExpressionError {
        let whole = text.quotedForMessage
        let place = rest.isEmpty ? "at the end of \(whole)" : "before \(String(rest).quotedForMessage) in \(whole)"
        return ExpressionError(description: "expected \(expected) \(place)\(Self.advice(for: rest))")
    }
}

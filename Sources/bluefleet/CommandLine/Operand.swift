/// A positional argument of a command.
struct Operand {
    /// The name in the help, for example `HEX`.
    let name: String
    let summary: String
    let isOptional: Bool
    /// Whether the operand can be repeated; only the last operand of a command can be.
    let isRepeated: Bool

    init(_ name: String, _ summary: String, isOptional: Bool = false, isRepeated: Bool = false) {
        self.name = name
        self.summary = summary
        self.isOptional = isOptional
        self.isRepeated = isRepeated
    }

    /// The same operand, but optional.
    var optional: Operand {
        Operand(name, summary, isOptional: true)
    }

    /// The text of the operand in the usage line.
    var usage: String {
        let name = isRepeated ? "\(name)…" : name
        return isOptional ? "[\(name)]" : name
    }
}

/// A positional argument of a command.
struct Operand {
    /// The name in the help: `HEX`.
    let name: String
    let summary: String
    let isOptional: Bool
    /// Whether the operand can be repeated, which requires that it is the last one.
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

    /// The operand as the usage line shows it.
    var usage: String {
        let name = isRepeated ? "\(name)…" : name
        return isOptional ? "[\(name)]" : name
    }
}

/// A word that a command is given by its place.
struct Operand {
    /// As help writes it: `HEX`.
    let name: String
    let summary: String
    let isOptional: Bool
    /// Whether it may be given several times; only the last operand can.
    let isRepeated: Bool

    init(_ name: String, _ summary: String, isOptional: Bool = false, isRepeated: Bool = false) {
        self.name = name
        self.summary = summary
        self.isOptional = isOptional
        self.isRepeated = isRepeated
    }

    /// The same operand where it may be left out.
    var optional: Operand {
        Operand(name, summary, isOptional: true)
    }

    /// How the line of usage shows it.
    var usage: String {
        let name = isRepeated ? "\(name)…" : name
        return isOptional ? "[\(name)]" : name
    }
}

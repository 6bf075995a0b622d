/// A word that a command is given by its place.
struct Operand {
    /// As help writes it: `HEX`.
    let name: String
    let summary: String
    var isOptional = false

    init(_ name: String, _ summary: String, isOptional: Bool = false) {
        self.name = name
        self.summary = summary
        self.isOptional = isOptional
    }

    /// The same operand where it may be left out.
    var optional: Operand {
        Operand(name, summary, isOptional: true)
    }

    /// How the line of usage shows it.
    var usage: String {
        isOptional ? "[\(name)]" : name
    }
}

/// From a unit that a device may choose to the one that Home Assistant is told.
struct UnitConversion: Equatable, Sendable {
    /// A formula of Jinja for the value `x`.
    let formula: String

    private struct Pair: Hashable {
        let from: String
        let to: String
    }

    private static let formulas: [Pair: String] = [
        Pair(from: "°F", to: "°C"): "(x - 32) / 1.8",
        Pair(from: "lb", to: "kg"): "x * 0.45359237",
        Pair(from: "in", to: "m"): "x * 0.0254",
        Pair(from: "kPa", to: "mmHg"): "x * 7.50062",
        // Of glucose, whose molar mass is 180.156 g/mol.
        Pair(from: "mmol/L", to: "mg/dL"): "x * 18.0156",
    ]

    /// Nil for units that nobody has told how to convert.
    init?(from unit: String, to other: String) {
        guard let formula = Self.formulas[Pair(from: unit, to: other)] else { return nil }
        self.formula = formula
    }
}

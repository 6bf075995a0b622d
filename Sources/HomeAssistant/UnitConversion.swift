/// A conversion from a unit that a device may choose to the unit of its entity.
package struct UnitConversion: Equatable, Sendable {
    /// A Jinja expression of the value `x`.
    package let formula: String

    private struct Pair: Hashable {
        let from: String
        let to: String
    }

    private static let formulas: [Pair: String] = [
        Pair(from: "°F", to: "°C"): "(x - 32) / 1.8",
        Pair(from: "lb", to: "kg"): "x * 0.45359237",
        Pair(from: "in", to: "m"): "x * 0.0254",
        Pair(from: "kPa", to: "mmHg"): "x * 7.50062",
        // The quantity is glucose; its molar mass is 180.156 g/mol.
        Pair(from: "mmol/L", to: "mg/dL"): "x * 18.0156",
    ]

    /// - Returns: nil if there is no known conversion between the units.
    package init?(from unit: String, to other: String) {
        guard let formula = Self.formulas[Pair(from: unit, to: other)] else { return nil }
        self.formula = formula
    }
}

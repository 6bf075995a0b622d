package import Codec

extension Configuration {
    /// How an advertised quantity is published; nil values are the rules of the device.
    package struct QuantityRules: Sendable, Equatable {
        /// Whether the quantity is left out: it has no topic and no entity.
        package var isLeftOut = false
        /// The unit to which the values are converted; nil: the unit of the format.
        package var unit: String?
        package var publish: PublishRules?
        package var keep: Keep?
        package var retain: Bool?
        /// The quality of service, 0 to 2; nil: the quality of service of ``Broker``.
        package var qos: Int?

        package init() {}

        /// Whether all values are those of the device.
        var isEmpty: Bool { self == QuantityRules() }
    }
}

extension Configuration.QuantityRules {
    /// Returns a quantity with its unit, its limits and its step after the conversion; nil if the units are incompatible.
    package func converted(_ quantity: Quantity) -> Quantity? {
        guard let unit, unit != quantity.unit else { return quantity }
        guard let conversion = quantity.unit.flatMap({ ValueConversion(from: $0, to: unit) }) else { return nil }
        return Quantity(
            name: quantity.name, form: quantity.form, unit: unit, kind: quantity.kind, range: nil,
            step: quantity.step.flatMap { conversion.difference($0)?.magnitude })
    }
}

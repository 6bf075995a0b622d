/// What a raw number means: a scaled value, a name, or that nothing is known.
package struct Meaning: Hashable, Sendable {
    /// The value is raw × scale + offset.
    package var scale: Decimal = 1
    package var offset: Decimal = 0
    /// The unit as Home Assistant writes it: `°C`, `hPa`.
    package var unit: String?
    package var homeAssistant: HomeAssistantClass?
    /// Raw numbers that mean "not known", and become null; encoding null writes the first.
    package var unknown: [Int128] = []
    /// The values that are allowed, after scale and offset; nil for all.
    package var range: ClosedRange<Decimal>?
    /// Whether only what is written has to be in the range (descriptor 2906).
    package var rangeIsForWriting = false
    /// Whether 0 is allowed as well, though it is not in the range.
    package var allowsZero = false
    /// Names of raw numbers; scale and offset then do not apply.
    package var values: NamedValues?

    package init() {}
}

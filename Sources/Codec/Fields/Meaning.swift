/// The meaning of a raw number: a scaled value, a name, or "not known".
package struct Meaning: Hashable, Sendable {
    /// The factor in value = raw × scale + offset; not 0.
    package var scale: Decimal = 1
    /// The summand in value = raw × scale + offset.
    package var offset: Decimal = 0
    /// The raw numbers that mean "not known".
    ///
    /// Decoding returns null for each of these numbers; encoding writes the first one for null.
    package var unknown: [Int128] = []
    /// The values that are allowed, after scale and offset; nil for all values.
    package var range: ClosedRange<Decimal>?
    /// Whether decoding returns null for a value outside the range; otherwise such a value makes the bytes invalid.
    package var outsideIsUnknown = false
    /// Whether the range applies only to encoding (descriptor 2906, Valid Range).
    package var rangeIsForWriting = false
    /// Whether 0 is allowed in addition to the range.
    package var allowsZero = false
    /// The names of raw numbers; nil if the numbers have no names.
    ///
    /// Scale and offset do not apply to a number with a name.
    package var values: NamedValues?

    package init() {}
}

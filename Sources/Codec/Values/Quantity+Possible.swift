extension Quantity.Kind {
    /// Returns the values that a quantity of this kind can have at all; nil: any value, or no limits in this unit.
    ///
    /// A decoded value outside these limits comes from a fault of the sensor or from damaged bytes. The limits of the air
    /// are wider than the records on Earth.
    func possibleValues(in unit: String?) -> ClosedRange<Decimal>? {
        switch (self, unit) {
        case (.battery, "%"), (.humidity, "%"), (.moisture, "%"): 0...100
        // Absolute zero, and the greatest temperature of a thermocouple.
        case (.temperature, "°C"): -273.15...2500
        case (.temperature, "°F"): -459.67...4532
        case (.airPressure, "hPa"), (.airPressure, "mbar"): 1...1200
        case (.airPressure, "kPa"): 0.1...120
        case (.airPressure, "Pa"): 100...120_000
        case (.windDirection, "°"): 0...360
        // One million parts per million.
        case (.carbonDioxide, "ppm"), (.carbonMonoxide, "ppm"): 0...1_000_000
        case (.signalStrength, "dBm"): -127...20
        case (.soundPressure, "dB"): -20...194
        // Direct sunlight is 130,000 lx.
        case (.illuminance, "lx"): 0...200_000
        default: nil
        }
    }
}

extension Field {
    fileprivate var withoutImpossibleValues: Field {
        var field = self
        switch content {
        case .number(var number):
            number.meaning.limit(kind, unit)
            field.content = .number(number)
        case .formula(var formula) where !formula.isBoolean:
            formula.meaning.limit(kind, unit)
            field.content = .formula(formula)
        case .bits(let set): field.content = .bits(set.withoutImpossibleValues)
        case .record(let format, let length):
            field.content = .record(format.withoutImpossibleValues, length: length)
        case .objects(let objects): field.content = .objects(objects.withoutImpossibleValues)
        case .formula, .value, .timestamp, .constant, .decimal, .text, .terminatedText, .address, .json, .size,
            .checksum:
            break
        }
        return field
    }
}

extension Meaning {
    /// Makes impossible values unknown, unless the format has its own limits or names.
    fileprivate mutating func limit(_ kind: Quantity.Kind?, _ unit: String?) {
        guard range == nil, values == nil, let possible = kind?.possibleValues(in: unit) else { return }
        range = possible
        outsideIsUnknown = true
    }
}

extension BitSet {
    fileprivate var withoutImpossibleValues: BitSet {
        var set = self
        for index in set.bits.indices where !set.bits[index].isBoolean {
            set.bits[index].meaning.limit(set.bits[index].kind, set.bits[index].unit)
        }
        return set
    }
}

extension ObjectTable {
    fileprivate var withoutImpossibleValues: ObjectTable {
        var table = self
        table.layouts = layouts.mapValues(\.withoutImpossibleValues)
        return table
    }
}

extension Format {
    /// The same format; decoding returns null for a value that its quantity cannot have.
    var withoutImpossibleValues: Format {
        withMeanings(\.withoutImpossibleValues)
    }
}

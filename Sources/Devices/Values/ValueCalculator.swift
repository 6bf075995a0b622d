package import Codec
package import Configuration
package import Contract
package import System

// The types of this folder.
//
// | type              | which question it answers                                             | owner                       |
// |-------------------|-----------------------------------------------------------------------|-----------------------------|
// | `ValueCorrection` | What is the right value for a measured one?                           | `ValueCalculator`           |
// | `ValueCalculator` | Which values does a packet give after corrections and calculations?   | `CalculatedValues` (Bridge) |
// | `Averager`        | What is the average of the values in a window of the wall clock?      | `Publication` (Bridge)      |

/// Corrects the values of one device, and calculates further values from them: the keys `adjust` and `derive`.
///
/// A value without I/O. A packet is what one notification, read or advertisement contains.
package struct ValueCalculator: Sendable {
    /// A reading with the name of its characteristic or quantity.
    package struct NamedReading: Equatable, Sendable {
        package let name: String
        package var reading: Reading
        package var marks: ReadingMarks?

        package init(_ name: String, _ reading: Reading, _ marks: ReadingMarks? = nil) {
            self.name = name
            self.reading = reading
            self.marks = marks
        }
    }

    /// The newest value with a name.
    private struct Newest {
        let value: Value
        let time: Instant
    }

    private let corrections: [ValueCorrection]
    private let derivedValues: [Configuration.DerivedValue]
    /// The newest values that formulas of derived values use.
    private var newest: [String: Newest] = [:]
    private let usedNames: Set<String>

    package init(_ adjustments: [Configuration.Adjustment], _ derivedValues: [Configuration.DerivedValue]) {
        corrections = adjustments.map { ValueCorrection($0) }
        self.derivedValues = derivedValues
        usedNames = derivedValues.reduce(into: []) { $0.formUnion($1.formula.names) }
    }

    /// Returns the readings of a packet with corrected values.
    package func corrected(_ packet: [NamedReading]) -> [NamedReading] {
        if corrections.isEmpty { return packet }
        let others = packet.flatMap { $0.values }
        return packet.map { entry in
            var entry = entry
            switch entry.reading {
            case .value(let value, let unit):
                guard let right = correct(value, entry.name, others) else { return entry }
                entry.reading = .value(right, unit: unit)
                entry.marks = ReadingMarks(adjusted: .value)
            case .fields(let members):
                let fields = members.map { (name: $0.name, value: $0.value) }
                var names: [String] = []
                entry.reading = .fields(
                    members.map { member in
                        let name = "\(entry.name).\(member.name)"
                        guard let right = correct(member.value, name, others + fields) else { return member }
                        names.append(member.name)
                        return Reading.Member(name: member.name, value: right, unit: member.unit)
                    })
                if !names.isEmpty { entry.marks = ReadingMarks(adjusted: .fields(names)) }
            }
            return entry
        }
    }

    /// Returns the corrected value; nil if the value stays as it is.
    private func correct(_ value: Value, _ name: String, _ others: [(name: String, value: Value)]) -> Value? {
        guard case .number(let measured) = value, let correction = corrections.first(where: { $0.name == name })
        else { return nil }
        return correction.right(for: measured, others).map { .number($0) } ?? .null
    }

    /// Returns the derived values that a packet changes.
    ///
    /// A derived value is calculated if the packet contains a value of its formula, and if no other value is older than
    /// `max_age`. It is null if a value is not known.
    ///
    /// - Parameters:
    ///   - packet: The corrected readings.
    ///   - now: The time of the packet.
    /// - Returns: The readings, in the order of the configuration.
    package mutating func derive(from packet: [NamedReading], at now: Instant) -> [NamedReading] {
        if derivedValues.isEmpty { return [] }
        var changed: Set<String> = []
        for (name, value) in packet.flatMap({ $0.values }) where usedNames.contains(name) {
            newest[name] = Newest(value: value, time: now)
            changed.insert(name)
        }
        var results: [NamedReading] = []
        for derived in derivedValues where !derived.formula.names.isDisjoint(with: changed) {
            guard let value = value(of: derived, at: now) else { continue }
            newest[derived.name] = Newest(value: value, time: now)
            changed.insert(derived.name)
            results.append(
                NamedReading(derived.name, .value(value, unit: derived.unit), ReadingMarks(isDerived: true)))
        }
        return results
    }

    /// Returns the values that are derived from a packet of the past alone.
    package func derived(fromOnly packet: [NamedReading]) -> [NamedReading] {
        var calculator = self
        calculator.newest = [:]
        return calculator.derive(from: packet, at: Instant(nanoseconds: 0))
    }

    /// Returns the value; nil if a value of the formula is missing or too old.
    private func value(of derived: Configuration.DerivedValue, at now: Instant) -> Value? {
        var values: [(name: String, value: Value)] = []
        for name in derived.formula.names {
            guard let known = newest[name], now - known.time <= derived.maximumAge else { return nil }
            if known.value == .null { return .null }
            values.append((name, known.value))
        }
        guard let result = derived.formula.value(with: values) else { return .null }
        if derived.formula.isCondition { return .boolean(result != .zero) }
        if derived.formula.isExact { return .number(result) }
        let places = max(derived.fieldLabel?.precision ?? 0, ValueCorrection.leastPlaces)
        return result.rounded(toPlaces: places).map { .number($0) } ?? .null
    }
}

extension ValueCalculator.NamedReading {
    /// The values with their names in formulas.
    fileprivate var values: [(name: String, value: Value)] {
        switch reading {
        case .value(let value, _): [(name, value)]
        case .fields(let members): members.map { ("\(name).\($0.name)", $0.value) }
        }
    }
}

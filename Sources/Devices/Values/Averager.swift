package import Codec
package import Configuration
import Glibc
package import System

/// The average of the readings in one window of the wall clock: the key `average`.
///
/// Numbers are averaged by the configured method, field by field; null is left out. The mean of angles (unit °) is that of
/// their directions. For texts, booleans and everything else the last value counts.
package struct Averager: Sendable {
    private let rule: Configuration.PublishRules.Average
    private var cells: [(name: String?, unit: String?, cell: Cell)] = []
    private var samples = 0

    package init(_ rule: Configuration.PublishRules.Average) {
        self.rule = rule
    }

    /// Returns the time from `time` to the end of its window.
    package func rest(of time: Timestamp) -> Duration {
        let window = max(rule.window.nanoseconds / 1_000_000, 1)
        let position = time.milliseconds % window
        return .milliseconds(window - (position < 0 ? position + window : position))
    }

    package mutating func add(_ reading: Reading) {
        samples += 1
        switch reading {
        case .value(let value, let unit): add(value, nil, unit)
        case .fields(let members): for member in members { add(member.value, member.name, member.unit) }
        }
    }

    private mutating func add(_ value: Value, _ name: String?, _ unit: String?) {
        if let index = cells.firstIndex(where: { $0.name == name }) {
            cells[index].cell.add(value)
            cells[index].unit = unit
        } else {
            cells.append((name, unit, Cell(value, isAngle: unit == "°")))
        }
    }

    /// Returns the average and the number of readings, and begins the next window; nil for a window without a reading.
    package mutating func take() -> (reading: Reading, samples: Int)? {
        guard samples > 0 else { return nil }
        defer { (cells, samples) = ([], 0) }
        if cells.count == 1, let only = cells.first, only.name == nil {
            return (.value(only.cell.result(rule.method), unit: only.unit), samples)
        }
        let members = cells.compactMap { entry in
            entry.name.map { Reading.Member(name: $0, value: entry.cell.result(rule.method), unit: entry.unit) }
        }
        return (.fields(members), samples)
    }
}

extension Averager {
    /// The values of one field.
    private struct Cell {
        /// The maximum number of values for a median: of more values, every second one is kept, then every fourth.
        private static let limit = 256

        private let isAngle: Bool
        private var last: Value
        private var sum: Decimal = .zero
        private var direction = (x: 0.0, y: 0.0)
        private var least: Decimal?
        private var greatest: Decimal?
        private var count = 0
        private var kept: [Decimal] = []
        private var stride = 1

        init(_ value: Value, isAngle: Bool) {
            self.isAngle = isAngle
            last = .null
            add(value)
        }

        mutating func add(_ value: Value) {
            guard case .number(let number) = value else {
                // A value that is not known does not hide the known ones.
                if value != .null || count == 0 { last = value }
                return
            }
            last = value
            sum = sum.adding(number) ?? sum
            direction.x += cos(number.doubleValue * .pi / 180)
            direction.y += sin(number.doubleValue * .pi / 180)
            least = min(least ?? number, number)
            greatest = max(greatest ?? number, number)
            if count % stride == 0 { kept.append(number) }
            count += 1
            guard kept.count > Self.limit else { return }
            kept = kept.indices.filter { $0.isMultiple(of: 2) }.map { kept[$0] }
            stride *= 2
        }

        func result(_ method: Configuration.PublishRules.Average.Method) -> Value {
            guard case .number(let newest) = last else { return last }
            let result: Decimal? =
                switch method {
                case .mean: isAngle ? meanDirection : sum.divided(by: Decimal(count))
                case .min: least
                case .max: greatest
                case .median: median
                case .last: newest
                }
            guard let rounded = result.flatMap({ ValueCorrection.rounded($0, like: newest) }) else { return .null }
            return .number(isAngle && rounded == 360 ? .zero : rounded)
        }

        /// The direction of the sum of all directions, 0 up to 360; nil if the directions cancel each other.
        private var meanDirection: Decimal? {
            guard hypot(direction.x, direction.y) > 1e-9 * Double(count) else { return nil }
            let degrees = atan2(direction.y, direction.x) * 180 / .pi
            return Decimal(degrees < 0 ? degrees + 360 : degrees)
        }

        private var median: Decimal? {
            let sorted = kept.sorted()
            let middle = sorted.count / 2
            if !sorted.count.isMultiple(of: 2) { return sorted[middle] }
            return sorted[middle - 1].adding(sorted[middle])?.divided(by: 2)
        }
    }
}

import JSON
package import System

/// The values of the last hours or days, for the plots.
///
/// | type | which question it answers |
/// |---|---|
/// | `History` | Which readings does a device have, and what were their values? |
/// | `NumberSeries` | What were the least, the mean and the greatest value in these 5 minutes? |
/// | `StateSeries` | When did the state change? |
/// | `HistoryRow` | What is stored of one reading and one hour? |
/// | `HistoryRange` | Which part of the history does a request ask for? |
package struct History {
    private enum Content {
        case numbers(NumberSeries)
        case states(StateSeries)
    }

    private struct Series {
        var content: Content
        var unit: String
        /// The time of the newest value, in milliseconds since 1970.
        var newest: Int64 = .min
        /// The hours that have changed since they were stored.
        var changedHours: Set<Int64> = []
    }

    private static let mostReadings = 4000
    /// The memory for numbers, in bytes.
    private static let numberBudget = 24 << 20
    private static let bytesPerHour = 200
    /// The hours up to the year 9970: a damaged file can have others, which overflow in calculations.
    private static let possibleHours = 0..<Int64(8000 * 366 * 24)

    /// How long values are kept; zero: not at all.
    package let keep: Duration
    private let mostHours: Int
    private let mostReadings: Int
    private var devices: [String: [String: Series]] = [:]
    private var count = 0

    /// - Parameter keep: How long values are kept, up to 7 days; zero: not at all.
    package init(keep: Duration) {
        self.keep = keep
        mostHours = Int(keep.components.seconds / 3600) + 1
        mostReadings = min(Self.mostReadings, Self.numberBudget / (mostHours * Self.bytesPerHour))
    }

    private var milliseconds: Int64 { keep.components.seconds * 1000 }

    /// Adds a value; one that is older than `keep` is ignored.
    package mutating func add(_ sample: Sample, at now: Timestamp) {
        guard keep > .zero else { return }
        // A clock that is ahead would open a slot that no other value reaches.
        let isAhead = sample.reading.time.milliseconds > now.milliseconds + 600_000
        let time = isAhead ? now.milliseconds : sample.reading.time.milliseconds
        guard time > now.milliseconds - milliseconds else { return }
        let name = sample.name
        let isNew = devices[sample.device]?[name] == nil
        guard !isNew || count < mostReadings else { return }
        let unit = sample.reading.unit ?? ""
        var series = devices[sample.device]?[name] ?? Series(content: Self.content(for: sample), unit: unit)
        guard !(sample.isRetained && time <= series.newest) else { return }
        series.unit = unit
        Self.removeHidden(upTo: time, of: &series)
        if let hour = Self.add(sample, at: time, to: &series, mostHours) {
            series.changedHours.insert(hour)
        } else if isNew {
            return
        }
        series.newest = max(series.newest, time)
        if isNew { count += 1 }
        devices[sample.device, default: [:]][name] = series
    }

    private static func content(for sample: Sample) -> Content {
        sample.reading.number == nil ? .states(StateSeries()) : .numbers(NumberSeries())
    }

    /// Returns the hour that has changed; nil if none has.
    private static func add(_ sample: Sample, at time: Int64, to series: inout Series, _ mostHours: Int) -> Int64? {
        switch (series.content, sample.reading.content) {
        case (.numbers(var numbers), .number(let number)):
            guard let value = number.double else { return nil }
            series.content = .numbers(NumberSeries())
            defer { series.content = .numbers(numbers) }
            return numbers.add(value, at: time / 1000, mostHours: mostHours)
        case (.states(var states), .state(let state)):
            series.content = .states(StateSeries())
            defer { series.content = .states(states) }
            return states.add(state, at: time) ? time / 3_600_000 : nil
        default:
            // The reading has another kind now.
            series = Series(content: content(for: sample), unit: series.unit)
            return add(sample, at: time, to: &series, mostHours)
        }
    }

    /// Gives the values of a device to its new name, which may have values already.
    package mutating func rename(_ device: String, to name: String) {
        guard name != device, var readings = devices.removeValue(forKey: device) else { return }
        for (reading, series) in readings { readings[reading]?.changedHours.formUnion(Self.hours(of: series)) }
        let newer = devices.updateValue(readings, forKey: name) ?? [:]
        for (reading, series) in newer {
            guard readings[reading] != nil else {
                devices[name]?[reading] = series
                continue
            }
            count -= 1
            for row in Self.rows(of: series, Self.hours(of: series), device: name, reading) {
                restore(row)
                devices[name]?[reading]?.changedHours.insert(row.hour)
            }
        }
    }

    private static func hours(of series: Series) -> Set<Int64> {
        switch series.content {
        case .numbers(let numbers): Set(numbers.hours)
        case .states(let states): Set(states.hours)
        }
    }

    // MARK: Clock

    /// Notes that the clock of this machine was set.
    ///
    /// If it was set back, the values of the time from now on are older than now. They are not shown any more, and are
    /// removed when the clock reaches their time again. If it is set forward before, they return.
    package mutating func clockSet(to now: Timestamp) {
        for (device, readings) in devices {
            devices[device] = readings.mapValues { series in
                var series = series
                switch series.content {
                case .numbers(var numbers):
                    numbers.clockSet(to: now.milliseconds / 1000)
                    series.content = .numbers(numbers)
                case .states(var states):
                    states.clockSet(to: now.milliseconds)
                    series.content = .states(states)
                }
                series.newest = min(series.newest, now.milliseconds)
                return series
            }
        }
    }

    private static func removeHidden(upTo time: Int64, of series: inout Series) {
        switch series.content {
        case .numbers(var numbers):
            series.content = .numbers(NumberSeries())
            series.changedHours.formUnion(numbers.removeHidden(upTo: time / 1000))
            series.content = .numbers(numbers)
        case .states(var states):
            series.content = .states(StateSeries())
            series.changedHours.formUnion(states.removeHidden(upTo: time))
            series.content = .states(states)
        }
    }

    // MARK: Age

    /// Removes the values that are older than `keep`, and those that the clock has reached a second time.
    ///
    /// - Parameters:
    ///   - now: The present time.
    ///   - reserve: How much longer values are kept.
    package mutating func removeOld(at now: Timestamp, reserve: Duration = .zero) {
        let oldest = now.milliseconds - milliseconds - reserve.components.seconds * 1000
        for (device, readings) in devices {
            var readings = readings
            for (name, var series) in readings {
                Self.removeHidden(upTo: now.milliseconds, of: &series)
                let isEmpty: Bool
                switch series.content {
                case .numbers(var numbers):
                    numbers.removeHours(before: oldest / 3_600_000)
                    series.content = .numbers(numbers)
                    isEmpty = numbers.isEmpty
                case .states(var states):
                    states.removeChanges(before: oldest)
                    series.content = .states(states)
                    isEmpty = series.newest < oldest
                }
                readings[name] = isEmpty ? nil : series
                if isEmpty { count -= 1 }
            }
            devices[device] = readings.isEmpty ? nil : readings
        }
    }

    // MARK: Storing

    /// Returns the rows that have changed since the last call.
    package mutating func takeChanges() -> [HistoryRow] {
        var rows: [HistoryRow] = []
        for (device, readings) in devices {
            for (name, series) in readings where !series.changedHours.isEmpty {
                rows += Self.rows(of: series, series.changedHours, device: device, name)
                devices[device]?[name]?.changedHours = []
            }
        }
        return rows
    }

    /// Returns the stored forms of some hours, in order of time.
    private static func rows(of series: Series, _ hours: Set<Int64>, device: String, _ reading: String) -> [HistoryRow]
    {
        let isState = if case .states = series.content { true } else { false }
        return hours.sorted().compactMap { hour in
            data(of: series, hour).map { data in
                HistoryRow(
                    device: device, reading: reading, unit: series.unit, isState: isState, hour: hour, data: data)
            }
        }
    }

    /// Notes that rows could not be stored: they are part of the next changes.
    package mutating func returnChanges(_ rows: [HistoryRow]) {
        for row in rows { devices[row.device]?[row.reading]?.changedHours.insert(row.hour) }
    }

    private static func data(of series: Series, _ hour: Int64) -> [UInt8]? {
        switch series.content {
        case .numbers(let numbers): numbers.data(ofHour: hour)
        case .states(let states): states.data(ofHour: hour)
        }
    }

    /// Adds a stored row; values that have arrived since have priority.
    package mutating func restore(_ row: HistoryRow) {
        let isNew = devices[row.device]?[row.reading] == nil
        guard keep > .zero, Self.possibleHours.contains(row.hour), !isNew || count < mostReadings else { return }
        let content: Content = row.isState ? .states(StateSeries()) : .numbers(NumberSeries())
        var series = devices[row.device]?[row.reading] ?? Series(content: content, unit: row.unit)
        switch series.content {
        case .numbers(var numbers) where !row.isState:
            numbers.restore(row.data, ofHour: row.hour, mostHours: mostHours)
            series.content = .numbers(numbers)
            // A retained value of the last slot may be part of it already.
            series.newest = max(series.newest, numbers.end(ofHour: row.hour) * 1000)
        case .states(var states) where row.isState:
            states.restore(row.data, ofHour: row.hour)
            series.content = .states(states)
            series.newest = max(series.newest, states.changes.last?.time ?? .min)
        default: return
        }
        if isNew { count += 1 }
        devices[row.device, default: [:]][row.reading] = series
    }

    // MARK: Reading

    /// The values of a reading.
    enum Values {
        case numbers(unit: String, (_ slot: Int64) -> NumberSeries.Slot?)
        /// The changes, with times in milliseconds since 1970.
        case states([(time: Int64, state: String)])

        /// The values of a reading that has no stored ones.
        init(without newest: DashboardReading) {
            self = newest.number == nil ? .states([]) : .numbers(unit: newest.unit ?? "") { _ in nil }
        }
    }

    /// Returns the names of the readings of a device, sorted.
    package func readings(of device: String) -> [String] {
        (devices[device] ?? [:]).keys.sorted()
    }

    /// Returns the values of a reading; nil if there is no such reading.
    func values(of reading: String, _ device: String) -> Values? {
        guard let series = devices[device]?[reading] else { return nil }
        switch series.content {
        case .numbers(let numbers): return .numbers(unit: series.unit, numbers.slot)
        case .states(let states): return .states(states.changes.map { ($0.time, states.name(of: $0)) })
        }
    }
}

/// The least, the mean and the greatest value of a number, for each 5 minutes.
struct NumberSeries: Equatable {
    /// The length of a slot in seconds.
    static let step: Int64 = 300
    static let slotsPerHour = 12

    /// The slots of an hour.
    private struct Block: Equatable {
        let hour: Int64
        /// Least, mean and greatest of each slot; NaN: no value.
        var values: [Float]
    }

    /// The sum of the values of a slot, from which its mean follows.
    private struct Accumulator: Equatable {
        let slot: Int64
        var sum: Double
        var count: Double
    }

    struct Slot: Equatable {
        let least: Float
        let mean: Float
        let greatest: Float
    }

    /// The blocks in order of time.
    private var blocks: [Block] = []
    /// The newest slot.
    private var present: Accumulator?
    /// The slot to which a late value was added last.
    private var late: Accumulator?
    /// The first slot after the time to which the clock was set back; nil: no later slot has values.
    private var firstHidden: Int64?

    var isEmpty: Bool { blocks.isEmpty }

    /// Adds a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - time: Its time in seconds since 1970.
    ///   - mostHours: The greatest number of hours; the oldest ones make room.
    /// - Returns: The hour to which the value belongs; nil if the value cannot be stored.
    mutating func add(_ value: Double, at time: Int64, mostHours: Int) -> Int64? {
        let number = Float(value)
        guard number.isFinite, time >= 0 else { return nil }
        let slot = time / Self.step
        let hour = slot / Int64(Self.slotsPerHour)
        guard let index = index(of: hour, mostHours) else { return nil }
        let place = Int(slot % Int64(Self.slotsPerHour)) * 3
        let mean = Float(newMean(value, slot, blocks[index].values[place + 1]))
        let (least, greatest) = (blocks[index].values[place], blocks[index].values[place + 2])
        blocks[index].values[place] = least.isNaN ? number : min(least, number)
        blocks[index].values[place + 1] = mean
        blocks[index].values[place + 2] = greatest.isNaN ? number : max(greatest, number)
        return hour
    }

    /// Returns the mean of a slot with one more value; `mean` is NaN without an earlier value.
    private mutating func newMean(_ value: Double, _ slot: Int64, _ mean: Float) -> Double {
        let isLate = present.map { slot < $0.slot } ?? false
        var sums = isLate ? late : present
        if sums?.slot != slot {
            // The number of earlier values of the slot is not known: they count as one.
            sums =
                mean.isNaN
                ? Accumulator(slot: slot, sum: 0, count: 0) : Accumulator(slot: slot, sum: Double(mean), count: 1)
        }
        sums?.sum += value
        sums?.count += 1
        if isLate { late = sums } else { present = sums }
        return sums.map { $0.sum / $0.count } ?? value
    }

    /// Returns the index of the block of an hour, which is added if it is missing; nil if all blocks are newer.
    private mutating func index(of hour: Int64, _ mostHours: Int) -> Int? {
        var index = blocks.count
        while index > 0, blocks[index - 1].hour >= hour { index -= 1 }
        if index < blocks.count, blocks[index].hour == hour { return index }
        guard blocks.count < mostHours || index > 0 else { return nil }
        let empty = [Float](repeating: .nan, count: Self.slotsPerHour * 3)
        blocks.insert(Block(hour: hour, values: empty), at: index)
        guard blocks.count > mostHours else { return index }
        blocks.removeFirst()
        return index - 1
    }

    /// The hours with values.
    var hours: [Int64] { blocks.map(\.hour) }

    /// Returns the end of the last slot with a value in an hour, in seconds since 1970; the begin of the hour if it has none.
    func end(ofHour hour: Int64) -> Int64 {
        let first = hour * Int64(Self.slotsPerHour)
        let slots = first..<first + Int64(Self.slotsPerHour)
        return (slots.last { slot($0) != nil }.map { $0 + 1 } ?? first) * Self.step
    }

    /// Removes the hours before an hour.
    mutating func removeHours(before hour: Int64) {
        blocks.removeAll { $0.hour < hour }
    }

    /// Returns the slot with a number, counted since 1970; nil if no value belongs to it, or a hidden one.
    func slot(_ slot: Int64) -> Slot? {
        guard firstHidden.map({ slot < $0 }) ?? true else { return nil }
        let hour = slot / Int64(Self.slotsPerHour)
        guard let block = blocks.first(where: { $0.hour == hour }) else { return nil }
        let place = Int(slot % Int64(Self.slotsPerHour)) * 3
        guard !block.values[place].isNaN else { return nil }
        return Slot(least: block.values[place], mean: block.values[place + 1], greatest: block.values[place + 2])
    }

    // MARK: Clock

    /// Hides the slots after a moment, and shows those before it; called when the clock was set.
    ///
    /// If the clock was set back, the values of later slots are older than the moment. They return if it is set forward.
    ///
    /// - Parameter time: The present time in seconds since 1970.
    mutating func clockSet(to time: Int64) {
        let first = time / Self.step + 1
        firstHidden = blocks.contains { end(of: $0) >= first } ? first : nil
        present = nil
        late = nil
    }

    /// Returns the last slot of a block.
    private func end(of block: Block) -> Int64 { (block.hour + 1) * Int64(Self.slotsPerHour) - 1 }

    /// Removes the hidden values up to a moment: they do not belong to the slots that the clock reaches again.
    ///
    /// - Parameter time: The moment in seconds since 1970.
    /// - Returns: The hours that have changed.
    mutating func removeHidden(upTo time: Int64) -> [Int64] {
        let slot = time / Self.step
        guard let firstHidden, slot >= firstHidden else { return [] }
        var hours: [Int64] = []
        for index in blocks.indices where end(of: blocks[index]) >= firstHidden {
            let hour = blocks[index].hour
            for place in 0..<Self.slotsPerHour
            where firstHidden...slot ~= hour * Int64(Self.slotsPerHour) + Int64(place) {
                for part in 0..<3 { blocks[index].values[place * 3 + part] = .nan }
            }
            hours.append(hour)
        }
        self.firstHidden = slot + 1
        return hours
    }

    // MARK: Storing

    /// Returns the slots of an hour as bytes; nil if it has none.
    func data(ofHour hour: Int64) -> [UInt8]? {
        guard let block = blocks.first(where: { $0.hour == hour }) else { return nil }
        return block.values.flatMap { value in
            let bits = value.bitPattern
            return (0..<4).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
        }
    }

    /// Adds the slots of an hour that were stored; values that have arrived since have priority.
    mutating func restore(_ data: [UInt8], ofHour hour: Int64, mostHours: Int) {
        guard data.count == Self.slotsPerHour * 12, let index = index(of: hour, mostHours) else { return }
        for slot in 0..<Self.slotsPerHour where blocks[index].values[slot * 3].isNaN {
            let values = (0..<3).map { part in
                let start = (slot * 3 + part) * 4
                let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(data[start + $1]) << ($1 * 8) }
                return Float(bitPattern: bits)
            }
            guard values.allSatisfy(\.isFinite) else { continue }
            for part in 0..<3 { blocks[index].values[slot * 3 + part] = values[part] }
        }
    }
}

import JSON

/// The changes of a truth value, a name or a text.
struct StateSeries: Equatable {
    struct Change: Equatable {
        /// In milliseconds since 1970.
        let time: Int64
        /// The index of the state in `states`.
        fileprivate let state: UInt8

        fileprivate var hour: Int64 { time / 3_600_000 }
    }

    private static let mostChanges = 300
    private static let mostStates = 32

    /// The different states; further ones share the last place.
    private var states: [String] = []
    /// The changes in order of time.
    private var allChanges: [Change] = []
    /// The moment after that to which the clock was set back, in milliseconds since 1970; nil: there is no later change.
    private var firstHidden: Int64?

    /// The changes in order of time, without the hidden ones.
    var changes: ArraySlice<Change> {
        guard let firstHidden else { return allChanges[...] }
        return allChanges.prefix { $0.time < firstHidden }
    }

    /// Adds a state, with its time in milliseconds since 1970; returns whether it is a change.
    mutating func add(_ state: String, at time: Int64) -> Bool {
        let number = number(of: state)
        var index = allChanges.count
        while index > 0, allChanges[index - 1].time > time { index -= 1 }
        if index > 0, allChanges[index - 1].state == number { return false }
        // The next change to the same state began earlier than it seemed.
        if index < allChanges.count, allChanges[index].state == number { allChanges.remove(at: index) }
        allChanges.insert(Change(time: time, state: number), at: index)
        if allChanges.count > Self.mostChanges { allChanges.removeFirst() }
        return true
    }

    /// Hides the changes after a moment, and shows those before it; called when the clock was set.
    ///
    /// - Parameter time: The present time in milliseconds since 1970.
    mutating func clockSet(to time: Int64) {
        firstHidden = allChanges.last.map { $0.time > time } ?? false ? time + 1 : nil
    }

    /// Removes the hidden changes up to a moment.
    ///
    /// - Parameter time: The moment in milliseconds since 1970.
    /// - Returns: The hours that have changed.
    mutating func removeHidden(upTo time: Int64) -> [Int64] {
        guard let firstHidden, time >= firstHidden else { return [] }
        let removed = allChanges.filter { firstHidden...time ~= $0.time }
        allChanges.removeAll { firstHidden...time ~= $0.time }
        self.firstHidden = time + 1
        return removed.map(\.hour)
    }

    /// The hours with changes.
    var hours: [Int64] { allChanges.map(\.hour) }

    private mutating func number(of state: String) -> UInt8 {
        if let known = states.firstIndex(of: state) { return UInt8(known) }
        if states.count < Self.mostStates { states.append(states.count == Self.mostStates - 1 ? "…" : state) }
        return UInt8(states.count - 1)
    }

    func name(of change: Change) -> String { states[Int(change.state)] }

    /// Removes the changes before a moment, except the last one, whose state went on.
    mutating func removeChanges(before time: Int64) {
        guard let first = allChanges.lastIndex(where: { $0.time < time }), first > 0 else { return }
        allChanges.removeFirst(first)
    }

    // MARK: Storing

    /// Returns the changes of an hour as JSON text.
    func data(ofHour hour: Int64) -> [UInt8] {
        let own = allChanges.filter { $0.hour == hour }
        let list = own.map { change -> JSON in [.number(change.time), .string(name(of: change))] }
        var text: [UInt8] = []
        JSON.array(list).append(to: &text)
        return text
    }

    /// Adds the changes of an hour that were stored.
    mutating func restore(_ data: [UInt8], ofHour hour: Int64) {
        for json in (try? JSON(parsing: data))?.array ?? [] {
            guard let time = json[0]?.int, let state = json[1]?.string, Int64(time) / 3_600_000 == hour else {
                continue
            }
            _ = add(state.cut(to: 64), at: Int64(time))
        }
    }
}

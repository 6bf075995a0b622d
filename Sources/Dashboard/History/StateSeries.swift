import JSON

/// The changes of a truth value, a name or a text.
struct StateSeries: Equatable {
    struct Change: Equatable {
        /// In milliseconds since 1970.
        let time: Int64
        /// The index of the state in `states`.
        fileprivate let state: UInt8
    }

    private static let mostChanges = 300
    private static let mostStates = 32

    /// The different states; further ones share the last place.
    private var states: [String] = []
    /// The changes in order of time.
    private(set) var changes: [Change] = []

    var isEmpty: Bool { changes.isEmpty }

    /// Adds a state, with its time in milliseconds since 1970; returns whether it is a change.
    mutating func add(_ state: String, at time: Int64) -> Bool {
        let number = number(of: state)
        var index = changes.count
        while index > 0, changes[index - 1].time > time { index -= 1 }
        if index > 0, changes[index - 1].state == number { return false }
        // The next change to the same state began earlier than it seemed.
        if index < changes.count, changes[index].state == number { changes.remove(at: index) }
        changes.insert(Change(time: time, state: number), at: index)
        if changes.count > Self.mostChanges { changes.removeFirst() }
        return true
    }

    private mutating func number(of state: String) -> UInt8 {
        if let known = states.firstIndex(of: state) { return UInt8(known) }
        if states.count < Self.mostStates { states.append(states.count == Self.mostStates - 1 ? "…" : state) }
        return UInt8(states.count - 1)
    }

    func name(of change: Change) -> String { states[Int(change.state)] }

    /// Removes the changes before a moment, except the last one, whose state went on.
    mutating func removeChanges(before time: Int64) {
        guard let first = changes.lastIndex(where: { $0.time < time }), first > 0 else { return }
        changes.removeFirst(first)
    }

    // MARK: Storing

    /// Returns the changes of an hour as JSON text.
    func data(ofHour hour: Int64) -> [UInt8] {
        let own = changes.filter { $0.time / 3_600_000 == hour }
        let list = own.map { change -> JSON in [.number(change.time), .string(name(of: change))] }
        var text: [UInt8] = []
        JSON.array(list).append(to: &text)
        return text
    }

    mutating func restore(_ data: [UInt8]) {
        for change in (try? JSON(parsing: data))?.array ?? [] {
            guard let time = change[0]?.int, let state = change[1]?.string else { continue }
            _ = add(state.cut(to: 64), at: Int64(time))
        }
    }
}

/// A dictionary with object paths as keys.
///
/// A look-up uses the bytes of a message without creating a string: most signals are of objects that are not in use.
///
/// The table is a hash table with open addressing and linear probing. A `Dictionary` would hash each hash a second
/// time.
struct PathTable<Value> {
    /// An index of the table with its contents.
    ///
    /// The parts are next to each other in memory, because a look-up uses all of them.
    private struct Slot {
        /// The hash of the path; zero: the index is free.
        let hash: UInt64
        let path: String
        var value: Value?

        /// A free index.
        static var free: Slot { Slot(hash: 0, path: "", value: nil) }
    }

    /// A path is stored at the home index of its hash or, if that is occupied, at the next free index.
    private var slots: [Slot] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    var paths: [String] { slots.filter { $0.hash != 0 }.map(\.path) }
    var values: [Value] { slots.compactMap(\.value) }

    subscript(path: String) -> Value? {
        get {
            self[path.utf8.span]
        }
        set {
            let hash = PathHash.of(path.utf8.span)
            let index = index(of: path.utf8.span, hash)
            if let newValue {
                guard let index else { return add(Slot(hash: hash, path: path, value: newValue)) }
                slots[index].value = newValue
            } else if let index {
                remove(at: index)
            }
        }
    }

    subscript(path: Span<UInt8>) -> Value? {
        self[path, PathHash.of(path)]
    }

    /// Returns the value of a path; `hash` is the hash of the path.
    subscript(path: Span<UInt8>, hash: UInt64) -> Value? {
        index(of: path, hash).flatMap { slots[$0].value }
    }

    mutating func removeValue(forPath path: String) -> Value? {
        defer { self[path] = nil }
        return self[path]
    }

    mutating func removeAll(where isObsolete: (String, Value) -> Bool) {
        for path in paths {
            if let value = self[path], isObsolete(path, value) { self[path] = nil }
        }
    }

    // MARK: Indices

    private func home(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash) & (slots.count - 1)
    }

    private func successor(of index: Int) -> Int {
        (index + 1) & (slots.count - 1)
    }

    private func index(of path: Span<UInt8>, _ hash: UInt64) -> Int? {
        guard count > 0 else { return nil }
        var index = home(of: hash)
        while slots[index].hash != 0 {
            if slots[index].hash == hash, path.isText(slots[index].path) { return index }
            index = successor(of: index)
        }
        return nil
    }

    private mutating func add(_ slot: Slot) {
        if 2 * (count + 1) > slots.count { grow() }
        var index = home(of: slot.hash)
        while slots[index].hash != 0 { index = successor(of: index) }
        slots[index] = slot
        count += 1
    }

    /// Doubles the size of the table.
    ///
    /// At most half of the indices are occupied, so that a look-up reaches a free index after a few steps.
    private mutating func grow() {
        let old = slots
        slots = Array(repeating: .free, count: max(8, 2 * old.count))
        count = 0
        for slot in old where slot.hash != 0 { add(slot) }
    }

    /// Removes the value at an index, and moves later values into the gap if this brings them closer to their home
    /// index.
    private mutating func remove(at index: Int) {
        var free = index
        var next = successor(of: index)
        while slots[next].hash != 0 {
            let distance = (next - home(of: slots[next].hash)) & (slots.count - 1)
            if distance >= (next - free) & (slots.count - 1) {
                slots[free] = slots[next]
                free = next
            }
            next = successor(of: next)
        }
        slots[free] = .free
        count -= 1
    }
}

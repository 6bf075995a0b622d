/// Values by the path of an object, found by a message's own bytes: most signals are of objects that nobody asked for,
/// and no string is made for them.
struct PathTable<Value> {
    private struct Entry {
        let path: String
        var value: Value
    }

    private var entries: [UInt64: Entry] = [:]
    /// Nobody outside can tell which paths have the same hash.
    private var seed = UInt64.random(in: .min ... .max)

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }
    var paths: [String] { entries.values.map(\.path) }
    var values: [Value] { entries.values.map(\.value) }

    subscript(path: String) -> Value? {
        get {
            let entry = entries[hash(path)]
            return entry?.path == path ? entry?.value : nil
        }
        set {
            let key = hash(path)
            if let newValue {
                if let other = entries[key], other.path != path { return separate(from: path, newValue) }
                entries[key] = Entry(path: path, value: newValue)
            } else if entries[key]?.path == path {
                entries[key] = nil
            }
        }
    }

    subscript(path: Span<UInt8>) -> Value? {
        guard let entry = entries[hash(path)], path.isText(entry.path) else { return nil }
        return entry.value
    }

    mutating func removeValue(forPath path: String) -> Value? {
        defer { self[path] = nil }
        return self[path]
    }

    mutating func removeAll(where isToGo: (String, Value) -> Bool) {
        entries = entries.filter { !isToGo($0.value.path, $0.value.value) }
    }

    /// Two paths have one hash: all find their places anew, by another seed.
    private mutating func separate(from path: String, _ value: Value) {
        let old = entries.values
        self = PathTable()
        for entry in old { self[entry.path] = entry.value }
        self[path] = value
    }

    // MARK: Hashes

    private func hash(_ path: String) -> UInt64 {
        hash(path.utf8.span)
    }

    /// FNV-1a, but over eight bytes at a time as long as there are so many, and then over single ones.
    private func hash(_ path: Span<UInt8>) -> UInt64 {
        var hash = seed
        var index = 0
        while index + 8 <= path.count {
            mix(&hash, unsafe path.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            index += 8
        }
        while index < path.count {
            mix(&hash, UInt64(path[index]))
            index += 1
        }
        return hash
    }

    private func mix(_ hash: inout UInt64, _ word: UInt64) {
        hash = (hash ^ word) &* 0x0000_0100_0000_01B3
        // A product's upper bits depend on all of the word's bits, the lower ones do not.
        hash ^= hash >> 29
    }
}

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
        var hash = seed
        for byte in path.utf8 { hash = Self.mixed(hash, byte) }
        return hash
    }

    private func hash(_ path: Span<UInt8>) -> UInt64 {
        var hash = seed
        for index in path.indices { hash = Self.mixed(hash, path[index]) }
        return hash
    }

    /// FNV-1a.
    private static func mixed(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
}

/// A dictionary with object paths as keys.
///
/// A look-up uses the bytes of a message without creating a string: most signals are of objects that are not in use.
///
/// The table is a hash table with open addressing and linear probing. A `Dictionary` would hash each hash a second
/// time.
struct PathTable<Value> {
    /// The hash of the path at each index; zero: the index is free.
    ///
    /// A hash is stored at its home index or, if that is occupied, at the next free index.
    private var hashes: [UInt64] = []
    /// The path at each index; `contents` contains the value at the same index.
    private var names: [String] = []
    private var contents: [Value?] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    var paths: [String] { names.indices.filter { hashes[$0] != 0 }.map { names[$0] } }
    var values: [Value] { contents.compactMap(\.self) }

    subscript(path: String) -> Value? {
        get {
            self[path.utf8.span]
        }
        set {
            let hash = PathHash.of(path.utf8.span)
            let index = index(of: path.utf8.span, hash)
            if let newValue {
                if let index { contents[index] = newValue } else { add(path, newValue, hash) }
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
        index(of: path, hash).flatMap { contents[$0] }
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
        Int(truncatingIfNeeded: hash) & (hashes.count - 1)
    }

    private func successor(of index: Int) -> Int {
        (index + 1) & (hashes.count - 1)
    }

    private func index(of path: Span<UInt8>, _ hash: UInt64) -> Int? {
        guard count > 0 else { return nil }
        var index = home(of: hash)
        while hashes[index] != 0 {
            if hashes[index] == hash, path.isText(names[index]) { return index }
            index = successor(of: index)
        }
        return nil
    }

    private mutating func add(_ path: String, _ value: Value, _ hash: UInt64) {
        if 2 * (count + 1) > hashes.count { grow() }
        var index = home(of: hash)
        while hashes[index] != 0 { index = successor(of: index) }
        hashes[index] = hash
        names[index] = path
        contents[index] = value
        count += 1
    }

    /// Doubles the size of the table.
    ///
    /// At most half of the indices are occupied, so that a look-up reaches a free index after a few steps.
    private mutating func grow() {
        let old = (hashes: hashes, names: names, contents: contents)
        let size = max(8, 2 * hashes.count)
        hashes = Array(repeating: 0, count: size)
        names = Array(repeating: "", count: size)
        contents = Array(repeating: nil, count: size)
        count = 0
        for index in old.hashes.indices {
            if let value = old.contents[index] { add(old.names[index], value, old.hashes[index]) }
        }
    }

    /// Removes the value at an index, and moves later values into the gap if this brings them closer to their home
    /// index.
    private mutating func remove(at index: Int) {
        var free = index
        var next = successor(of: index)
        while hashes[next] != 0 {
            let distance = (next - home(of: hashes[next])) & (hashes.count - 1)
            if distance >= (next - free) & (hashes.count - 1) {
                move(next, to: free)
                free = next
            }
            next = successor(of: next)
        }
        hashes[free] = 0
        names[free] = ""
        contents[free] = nil
        count -= 1
    }

    private mutating func move(_ index: Int, to free: Int) {
        hashes[free] = hashes[index]
        names[free] = names[index]
        contents[free] = contents[index]
    }
}

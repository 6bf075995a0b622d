extension String {
    /// Returns the candidate that is most similar to this name; nil if no candidate is similar.
    ///
    /// A candidate is similar if at most a third of its letters, and at most 3, are missing, added, changed or
    /// transposed, or if it is the only candidate that begins with this name. Names of more than 64 bytes are similar to
    /// none: such a name is not a typing mistake, and a client could stop the gateway with long comparisons.
    package func nearest(in candidates: some Sequence<String>) -> String? {
        guard isShort else { return nil }
        let name = lowercased()
        let candidates = candidates.filter(\.isShort)
        let closest = candidates.map { ($0, name.editDistance(to: $0.lowercased())) }.min { $0.1 < $1.1 }
        if let (candidate, distance) = closest, distance <= Swift.min(3, (candidate.count + 1) / 3) { return candidate }
        let longer = candidates.filter { $0.lowercased().hasPrefix(name) }
        return name.count > 1 && longer.count == 1 ? longer.first : nil
    }

    /// Whether the text is short enough for advice about it: up to 64 bytes.
    var isShort: Bool { utf8.count <= 64 }

    /// Returns the optimal string alignment distance to another name; an upper bound beyond 64 characters.
    func editDistance(to other: String) -> Int {
        let left = Array(unicodeScalars)
        let right = Array(other.unicodeScalars)
        // The running time grows with the square of the length, and such a long name is not a typing mistake.
        guard left.count <= 64, right.count <= 64 else { return Swift.max(left.count, right.count) }
        var rows = [Array(0...right.count)]
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                let change = rows[i][j] + (left[i] == right[j] ? 0 : 1)
                var best = Swift.min(change, row[j] + 1, rows[i][j + 1] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    best = Swift.min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}

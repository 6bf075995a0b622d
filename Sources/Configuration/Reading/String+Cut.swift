extension String {
    /// What stands before and after the first occurrence of a mark; nil where there is none.
    ///
    /// The standard library's own search comes with its regular expressions, a megabyte of code in the daemon.
    func cut(at mark: String) -> (before: Substring, after: Substring)? {
        guard let start = indices.first(where: { self[$0...].hasPrefix(mark) }) else { return nil }
        return (self[..<start], self[index(start, offsetBy: mark.count)...])
    }
}

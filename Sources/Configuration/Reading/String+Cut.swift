extension String {
    /// Returns the text before and after the first occurrence of `mark`; nil if it does not occur.
    ///
    /// The search of the standard library links its regular expressions, 1 MB of code in the daemon.
    func cut(at mark: String) -> (before: Substring, after: Substring)? {
        guard let start = indices.first(where: { self[$0...].hasPrefix(mark) }) else { return nil }
        return (self[..<start], self[index(start, offsetBy: mark.count)...])
    }
}

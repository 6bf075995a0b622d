extension String {
    /// Returns the text before and after the first occurrence of `mark`; nil if `mark` does not occur.
    ///
    /// The search functions of the standard library are not used: they link its regular expressions, which add 1 MB.
    func cut(at mark: String) -> (before: Substring, after: Substring)? {
        guard let start = indices.first(where: { self[$0...].hasPrefix(mark) }) else { return nil }
        return (self[..<start], self[index(start, offsetBy: mark.count)...])
    }
}

extension String {
    /// Returns the string with the only occurrence of `old` replaced.
    ///
    /// Tests edit the text of a fleet or a configuration with this method. If `old` does not occur exactly once, the
    /// program stops with the location of the call: the test would otherwise run without its edit, and pass.
    ///
    /// - Parameters:
    ///   - old: A text that occurs exactly once.
    ///   - new: The text that replaces `old`.
    ///   - file: The source file of the call.
    ///   - line: The line of the call.
    /// - Returns: The edited string.
    package func replacingOnce(
        _ old: String, with new: String, file: StaticString = #file, line: UInt = #line
    ) -> String {
        replacing(old, occurring: 1, with: new, file: file, line: line)
    }

    /// Returns the string with every occurrence of `old` replaced.
    ///
    /// - Parameters:
    ///   - old: A text that occurs exactly `count` times, or the program stops with the location of the call.
    ///   - count: The expected number of occurrences.
    ///   - new: The text that replaces `old`.
    ///   - file: The source file of the call.
    ///   - line: The line of the call.
    /// - Returns: The edited string.
    package func replacing(
        _ old: String, occurring count: Int, with new: String, file: StaticString = #file, line: UInt = #line
    ) -> String {
        let parts = split(separator: old, omittingEmptySubsequences: false)
        guard parts.count == count + 1 else {
            fatalError(
                "expected the text \"\(old)\" \(count) times, found it \(parts.count - 1) times in:\n\(self)",
                file: file, line: line)
        }
        return parts.joined(separator: new)
    }
}

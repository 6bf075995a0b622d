/// A text is not JSON, or none to rely on.
package struct JSONError: Error, Hashable, CustomStringConvertible {
    /// Where it was noticed: bytes from the beginning; 0 when that cannot be told.
    package let offset: Int
    /// What is wrong there.
    package let reason: String

    package init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }

    package var description: String {
        offset == 0 ? "not valid JSON: \(reason)" : "not valid JSON at byte \(offset): \(reason)"
    }
}

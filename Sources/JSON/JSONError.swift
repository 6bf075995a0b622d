/// A text is not JSON, or none to rely on.
package struct JSONError: Error, Hashable, CustomStringConvertible {
    /// Where it was noticed: bytes from the beginning; 0 when that cannot be told.
    package let offset: Int
    /// What is wrong there.
    package let reason: String
    /// Whether the text may well be JSON, though none that is taken here.
    package let isUnsupported: Bool

    package init(offset: Int, reason: String, isUnsupported: Bool = false) {
        self.offset = offset
        self.reason = reason
        self.isUnsupported = isUnsupported
    }

    /// What kind of error it is, before the reason.
    package var kind: String { isUnsupported ? "JSON that is not supported" : "not valid JSON" }

    package var description: String {
        offset == 0 ? "\(kind): \(reason)" : "\(kind) at byte \(offset): \(reason)"
    }
}

/// A text that is not JSON, or is JSON that the parser does not support.
package struct JSONError: Error, Hashable, CustomStringConvertible {
    /// The position of the error in bytes; 0 if it is not known.
    package let offset: Int
    /// The description of the error.
    package let reason: String
    /// Whether the text may be valid JSON that the parser does not support.
    package let isUnsupported: Bool

    package init(offset: Int, reason: String, isUnsupported: Bool = false) {
        self.offset = offset
        self.reason = reason
        self.isUnsupported = isUnsupported
    }

    /// The kind of the error, for the beginning of a message.
    package var kind: String { isUnsupported ? "unsupported JSON" : "not valid JSON" }

    package var description: String {
        offset == 0 ? "\(kind): \(reason)" : "\(kind) at byte \(offset): \(reason)"
    }
}

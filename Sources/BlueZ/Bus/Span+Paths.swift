import Glibc

/// An object path as bytes in the memory of a message.
extension Span<UInt8> {
    /// Returns whether the bytes are the UTF-8 encoding of `text`.
    func isText(_ text: String) -> Bool {
        let other = text.utf8.span
        guard count == other.count else { return false }
        return unsafe withUnsafeBytes { mine in
            unsafe other.withUnsafeBytes { theirs in
                guard let mine = mine.baseAddress, let start = theirs.baseAddress else { return true }
                return unsafe memcmp(mine, start, theirs.count) == 0
            }
        }
    }

    /// Returns the index at which a number of levels of the path ends.
    ///
    /// The first three levels are an adapter (`/org/bluez/hci0`), the first four levels a device
    /// (`/org/bluez/hci0/dev_…`).
    ///
    /// - Parameters:
    ///   - count: The number of levels.
    ///   - start: The index of the slash before the first level.
    /// - Returns: The index of the byte after the last level; the length of the path if it has fewer levels.
    func length(ofLevels count: Int, from start: Int = 0) -> Int {
        unsafe withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return 0 }
            var end = start
            for _ in 0..<count where end < bytes.count {
                let next = end + 1
                let slash = unsafe memchr(base + next, Int32(UInt8(ascii: "/")), bytes.count - next)
                end = if let slash = unsafe slash { unsafe UnsafeRawPointer(slash) - base } else { bytes.count }
            }
            return end
        }
    }
}

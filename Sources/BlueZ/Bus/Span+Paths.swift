import Glibc

/// An object's path in the memory of a message.
extension Span<UInt8> {
    /// Returns whether these are the bytes of `text`.
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

    /// Returns the length of the path's first levels: three are an adapter (`/org/bluez/hci0`), four a device
    /// (`/org/bluez/hci0/dev_…`).
    ///
    /// - Parameters:
    ///   - count: The number of levels.
    ///   - start: The index of the slash before the first of them.
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

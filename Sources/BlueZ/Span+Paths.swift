internal import Glibc

/// An object's path where it was received.
extension Span<UInt8> {
    /// Whether these are the bytes of `text`.
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

    /// How long its first levels are: three are an adapter (`/org/bluez/hci0`), four a device (`/org/bluez/hci0/dev_…`).
    func length(ofLevels count: Int) -> Int {
        var slashes = 0
        for index in indices where self[index] == UInt8(ascii: "/") {
            slashes += 1
            if slashes > count { return index }
        }
        return self.count
    }
}

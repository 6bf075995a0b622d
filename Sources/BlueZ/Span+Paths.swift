/// An object's path where it was received.
extension Span<UInt8> {
    /// Whether these are the bytes of `text`.
    func isText(_ text: String) -> Bool {
        let text = text.utf8
        guard count == text.count else { return false }
        var index = 0
        for byte in text {
            if byte != self[index] { return false }
            index += 1
        }
        return true
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

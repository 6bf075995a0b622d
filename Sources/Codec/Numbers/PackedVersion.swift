/// A version in three bytes, as in the advertisements of SwitchBot's vacuum cleaners.
enum PackedVersion {
    static func decode(_ number: UInt32) -> String {
        let last = String(number >> 8)
        let filler = String(repeating: "0", count: max(0, 3 - last.count))
        return "\(number & 0xF).\(number >> 4 & 0xF).\(filler)\(last)"
    }

    /// Returns the three bytes as a number; nil if the text is not a version with three parts that fit.
    static func encode(_ text: String) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt32($0) }
        guard parts.count == 3, parts[0] < 16, parts[1] < 16, parts[2] <= 0xFFFF else { return nil }
        return parts[0] | parts[1] << 4 | parts[2] << 8
    }
}

/// The hash of an object's path, for all tables of this process; never zero.
enum PathHash {
    /// Nobody outside can tell which paths have the same hash.
    private static let seed = UInt64.random(in: .min ... .max)

    /// FNV-1a, but over eight bytes at a time as long as there are so many, and then over single ones.
    static func of(_ path: Span<UInt8>) -> UInt64 {
        var hash = seed
        var index = 0
        while index + 8 <= path.count {
            mix(&hash, unsafe path.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            index += 8
        }
        while index < path.count {
            mix(&hash, UInt64(path[index]))
            index += 1
        }
        return max(hash, 1)
    }

    private static func mix(_ hash: inout UInt64, _ word: UInt64) {
        hash = (hash ^ word) &* 0x0000_0100_0000_01B3
        // A product's upper bits depend on all of the word's bits, the lower ones do not.
        hash ^= hash >> 29
    }
}

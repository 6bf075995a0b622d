/// The hash of an object's path, the same for all tables of this process; never zero.
enum PathHash {
    /// The initial value of every hash: random, so that no device can choose an address that causes collisions.
    private static let seed = UInt64.random(in: .min ... .max)

    /// Returns a variant of the FNV-1a hash, over eight bytes at a time and over single bytes at the end.
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
        // The upper bits of the product depend on all bits of the word, the lower bits do not.
        hash ^= hash >> 29
    }
}

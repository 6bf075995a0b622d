/// An error in the AD structures of an advertisement's payload.
package struct AdvertisementPayloadError: Error, Hashable, Sendable {
    /// The mistake in a structure.
    package enum Reason: Hashable, Sendable {
        /// The length of a structure is larger than the number of bytes that follow.
        case truncated(announced: Int, found: Int)
        /// The data of a structure has a length that its type does not allow.
        case wrongLength(type: UInt8)
    }

    /// The position of the structure's first byte, counted from 0.
    package let position: Int
    package let reason: Reason

    package init(position: Int, reason: Reason) {
        self.position = position
        self.reason = reason
    }
}

extension AdvertisementPayloadError: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .truncated(let announced, let found):
            "the length at byte \(position) is \(announced), but only \(found.inBytes) \(found == 1 ? "follows" : "follow"): "
                + "give the whole payload, each AD structure with its length and type"
        case .wrongLength(let type):
            "the AD structure at byte \(position) has a length that its type "
                + "0x\(String(type, radix: 16, uppercase: true).leftPadded(to: 2)) does not allow"
        }
    }
}

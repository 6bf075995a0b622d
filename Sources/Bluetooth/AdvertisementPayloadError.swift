/// Bytes that are no AD structures.
package struct AdvertisementPayloadError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// A structure announces more bytes than there are.
        case truncated(announced: Int, found: Int)
        /// The data of a structure have a length that its type does not allow.
        case wrongLength(type: UInt8)
    }

    /// The byte at which the structure begins, counted from 0.
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
            "the length at byte \(position) says \(announced), only \(found) bytes follow: expected the whole payload, "
                + "each AD structure with its length and type"
        case .wrongLength(let type):
            "the AD structure at byte \(position), of type "
                + "0x\(String(type, radix: 16, uppercase: true).leftPadded(to: 2)), has a length that this type does not "
                + "allow"
        }
    }
}

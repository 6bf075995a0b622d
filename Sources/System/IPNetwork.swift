/// A range of addresses with the same first bits: `192.0.2.0/24`, or one address.
package struct IPNetwork: Hashable, Sendable, CustomStringConvertible {
    package let address: IPAddress
    /// The number of bits that all addresses have in common.
    package let length: Int

    /// Creates a network from its text; nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress(String($0)) }) else { return nil }
        let most = address.bytes.count * 8
        if parts.count == 1 {
            length = most
        } else if let length = Int(parts[1]), parts[1].allSatisfy(\.isNumber), (0...most).contains(length) {
            self.length = length
        } else {
            return nil
        }
        self.address = address
    }

    package func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        for (index, (left, right)) in zip(address.bytes, other.bytes).enumerated() {
            let bits = min(8, max(0, length - index * 8))
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bits)
            guard left & mask == right & mask else { return false }
        }
        return true
    }

    package var description: String {
        length == address.bytes.count * 8 ? address.description : "\(address)/\(length)"
    }
}

/// The key that a device encrypts its advertisements with; it shows itself to nobody.
package struct AdvertisementKey: Hashable, Sendable {
    let bytes: [UInt8]

    /// Reads 32 hexadecimal digits, or the 24 of the oldest devices of Xiaomi; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard let bytes = [UInt8](hexadecimal: text), [12, 16].contains(bytes.count) else { return nil }
        self.bytes = bytes
    }
}

extension AdvertisementKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "a key of \(bytes.count) bytes" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

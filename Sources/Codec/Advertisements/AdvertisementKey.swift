/// The key with which a device encrypts its advertisements.
///
/// The description and the mirror do not contain the bytes of the key.
package struct AdvertisementKey: Hashable, Sendable {
    let bytes: [UInt8]

    /// Parses 32 hexadecimal digits, or the 24 digits of the oldest Xiaomi devices; nil for any other text.
    package init?(_ text: some StringProtocol) {
        guard let bytes = [UInt8](hexadecimal: text), [12, 16].contains(bytes.count) else { return nil }
        self.bytes = bytes
    }
}

extension AdvertisementKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "a key of \(bytes.count) bytes" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

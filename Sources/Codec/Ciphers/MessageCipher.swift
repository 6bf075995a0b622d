/// The cipher of messages of whole blocks: AES-128 without padding; each message is encrypted by itself.
package struct MessageCipher: Sendable {
    /// How the blocks of a message are combined.
    package enum Mode: String, Hashable, Sendable, CaseIterable {
        /// Each block is encrypted by itself.
        case ecb
        /// Each block is combined with the encrypted block before it; the first one with the initialization vector.
        case cbc
    }

    /// The size of a key, of an initialization vector and of a block, in bytes.
    package static let blockSize = 16

    private let aes: AES
    private let mode: Mode
    private let initialVector: [UInt8]

    /// - Precondition: Key and initialization vector have 16 bytes.
    package init(_ mode: Mode, key: [UInt8], initialVector: [UInt8]) {
        precondition(
            initialVector.count == Self.blockSize, "an initialization vector has 16 bytes, not \(initialVector.count)")
        aes = AES(key: key)
        self.mode = mode
        self.initialVector = initialVector
    }

    /// Returns the encrypted message; nil if its length is not a multiple of 16 bytes.
    package func encrypt(_ message: [UInt8]) -> [UInt8]? { transform(message, encrypts: true) }

    /// Returns the decrypted message; nil if its length is not a multiple of 16 bytes.
    package func decrypt(_ message: [UInt8]) -> [UInt8]? { transform(message, encrypts: false) }

    private func transform(_ message: [UInt8], encrypts: Bool) -> [UInt8]? {
        guard message.count.isMultiple(of: Self.blockSize) else { return nil }
        return aes.transform(message, initialVector: mode == .cbc ? initialVector : nil, encrypts: encrypts)
    }
}

extension MessageCipher: CustomStringConvertible, CustomReflectable {
    /// The name of the cipher, without the key.
    package var description: String { "AES-128-\(mode.rawValue.uppercased())" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

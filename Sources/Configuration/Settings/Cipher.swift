package import Codec

extension Configuration {
    /// How a device encrypts questions and answers: the key `cipher`.
    package struct Cipher: Sendable, Equatable {
        package enum KeySource: Sendable, Equatable {
            /// A published key, which all devices of a model share.
            case fixed([UInt8])
            case file(SecretFile)
        }

        package let mode: MessageCipher.Mode
        package let key: KeySource
        package let initialVector: [UInt8]

        /// Returns the cipher with its key.
        ///
        /// - Throws: `InvalidValue` if the file with the key cannot be read; the error does not contain the key.
        package func messageCipher() throws(InvalidValue) -> MessageCipher {
            let bytes =
                switch key {
                case .fixed(let bytes): bytes
                case .file(let file): try Secret.messageKey(file.path)
                }
            return MessageCipher(mode, key: bytes, initialVector: initialVector)
        }
    }
}

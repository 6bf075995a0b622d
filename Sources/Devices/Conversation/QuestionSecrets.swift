package import Codec

/// The secrets of a device's questions, which are read from their files before each connection.
package struct QuestionSecrets: Sendable {
    /// The PIN; nil: the device has none.
    package let pin: String?
    /// The cipher of questions and answers; nil: they are not encrypted.
    package let cipher: MessageCipher?

    package init(pin: String? = nil, cipher: MessageCipher? = nil) {
        self.pin = pin
        self.cipher = cipher
    }

    /// Returns the message with which a question is sent.
    ///
    /// - Throws: `QuestionFailure` if the cipher cannot encrypt a question of this size.
    func message(_ question: [UInt8]) throws(QuestionFailure) -> [UInt8] {
        guard let cipher else { return question }
        guard let message = cipher.encrypt(question) else {
            throw .unaskable("ask: \(question.count) bytes cannot be encrypted: the cipher needs a multiple of 16")
        }
        return message
    }

    /// Returns the content of a message of the device; nil if it is not encrypted as expected.
    func content(_ message: [UInt8]) -> [UInt8]? {
        if let cipher { cipher.decrypt(message) } else { message }
    }
}

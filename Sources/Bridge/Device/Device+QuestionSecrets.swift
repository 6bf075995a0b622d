package import Configuration
package import Devices

extension Configuration.Device {
    /// Reads the secrets of the device's questions from their files.
    ///
    /// - Throws: `InvalidValue`, which names the file and never shows its contents.
    package func questionSecrets() throws(InvalidValue) -> QuestionSecrets {
        QuestionSecrets(
            pin: try self.pinFile.map { (file) throws(InvalidValue) in try Secret.pin(file.path) },
            cipher: try self.cipher.map { (cipher) throws(InvalidValue) in try cipher.messageCipher() })
    }
}

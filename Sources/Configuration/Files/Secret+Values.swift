package import Bluetooth
package import Codec

extension Secret {
    /// Reads the key for encrypted advertisements from a file.
    ///
    /// - Throws: `InvalidValue`, which names the file and never shows its contents.
    package static func advertisementKey(_ path: String) throws(InvalidValue) -> AdvertisementKey {
        guard let key = AdvertisementKey(String(decoding: try read(path), as: UTF8.self)) else {
            throw "\(path): expected a key of 32 hexadecimal digits (24 for the oldest Xiaomi devices)"
        }
        return key
    }

    /// Reads the key of encrypted questions and answers from a file.
    ///
    /// - Throws: `InvalidValue`, which names the file and never shows its contents.
    package static func messageKey(_ path: String) throws(InvalidValue) -> [UInt8] {
        let text = String(decoding: try read(path), as: UTF8.self)
        guard let key = [UInt8](hexadecimal: text), key.count == MessageCipher.blockSize else {
            throw "\(path): expected a key of 32 hexadecimal digits"
        }
        return key
    }

    /// Reads the passkey for a bond from a file.
    ///
    /// - Throws: `InvalidValue`, which names the file and never shows its contents.
    package static func passkey(_ path: String) throws(InvalidValue) -> Passkey {
        guard let passkey = Passkey(String(decoding: try read(path), as: UTF8.self)) else {
            throw "\(path): expected six digits"
        }
        return passkey
    }

    /// The longest PIN in bytes.
    private static let longestPIN = 64

    /// Reads the PIN of a device from a file.
    ///
    /// - Throws: `InvalidValue`, which names the file and never shows its contents.
    package static func pin(_ path: String) throws(InvalidValue) -> String {
        let bytes = try read(path)
        guard 1...longestPIN ~= bytes.count, let pin = String(validating: bytes, as: UTF8.self) else {
            throw "\(path): expected a text of 1 to \(longestPIN) bytes in UTF-8"
        }
        return pin
    }
}

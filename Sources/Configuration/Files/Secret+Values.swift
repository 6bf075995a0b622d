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

    /// Reads the passkey for a bond from a file.
    ///
    /// - Throws: `InvalidValue`, which names the file and never shows its contents.
    package static func passkey(_ path: String) throws(InvalidValue) -> Passkey {
        guard let passkey = Passkey(String(decoding: try read(path), as: UTF8.self)) else {
            throw "\(path): expected six digits"
        }
        return passkey
    }
}

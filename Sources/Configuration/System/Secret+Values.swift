package import Bluetooth
package import Codec

extension Secret {
    /// The key of encrypted advertisements that a file holds.
    ///
    /// - Throws: `Complaint` that names the file; never with what is in it.
    package static func advertisementKey(_ path: String) throws(Complaint) -> AdvertisementKey {
        guard let key = AdvertisementKey(String(decoding: try read(path), as: UTF8.self)) else {
            throw "\(path): a key has 32 hexadecimal digits (24 with the oldest devices of Xiaomi)"
        }
        return key
    }

    /// The passkey of a bond that a file holds.
    ///
    /// - Throws: `Complaint` that names the file; never with what is in it.
    package static func passkey(_ path: String) throws(Complaint) -> Passkey {
        guard let passkey = Passkey(String(decoding: try read(path), as: UTF8.self)) else {
            throw "\(path): six digits were expected"
        }
        return passkey
    }
}

@testable import Codec

extension AdvertisementFormat {
    /// Whether packets of this format can be encrypted.
    var isEncrypted: Bool { cipher != nil }
}

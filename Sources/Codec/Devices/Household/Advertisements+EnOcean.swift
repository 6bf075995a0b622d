import Bluetooth

extension Advertisements {
    /// The formats of EnOcean's switches without a battery.
    ///
    /// The status of the contacts is not encrypted, but signed with the key of the switch: without the signature, any
    /// sender could switch.
    ///
    /// Source: EnOcean, PTM 215B User Manual 2.2, 3.2 and appendix C.3.1.
    static let enOcean: [AdvertisementFormat] = {
        var format = AdvertisementFormat(
            "enocean_ptm215b", AdvertisementMatch(.company(0x03DA), lengths: 9...9),
            [
                .reserved(4),
                .names(
                    "button",
                    NamedValues([
                        0: "release", 1: "press", 2: "a0_release", 3: "a0_press", 4: "a1_release", 5: "a1_press",
                        8: "b0_release", 9: "b0_press", 16: "b1_release", 17: "b1_press",
                    ])),
            ])
        format.cipher = AdvertisementCipher(
            // The length, the type and the company identifier of the AD structure are signed, too.
            mode: .ccm(additionalData: [0x0C, 0xFF, 0xDA, 0x03]), header: .init(length: 5), trailer: 4,
            nonce: [.reversedAddress(bytes: 6), .bytes(.init(0, 4)), .constant([0, 0, 0])],
            replayCounter: [.init(0, 4)], signsHeader: true)
        return [format]
    }()
}

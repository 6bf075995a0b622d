internal import Bluetooth
internal import Codec

/// The AD payload of an advertisement as a person typed it, with what is needed to decrypt it.
struct AdvertisementBytes {
    private let advertisement: Advertisement
    private let address: Address?
    private let key: AdvertisementKey?

    /// - Throws: `Failure` that points at what is not hexadecimal, or no AD structure.
    init(_ text: String, address: Address?, key: AdvertisementKey?) throws(Failure) {
        let input = try HexadecimalText(typed: text)
        do throws(AdvertisementPayloadError) {
            advertisement = try Advertisement(payload: input.bytes)
        } catch {
            throw Failure(.badData, "\(error)\n\(Excerpt(text, at: input.offset(ofByte: error.position)))")
        }
        self.address = address
        self.key = key
    }

    func decode() throws(Failure) -> AdvertisementContents {
        var decoder = AdvertisementDecoder(address: address, key: key)
        do throws(AdvertisementError) {
            return try decoder.decode(advertisement)
        } catch {
            throw Failure(.badData, error.description)
        }
    }
}

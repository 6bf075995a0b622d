import Bluetooth
import Codec

/// A typed AD payload, or an advertisement as `scan --json` prints it, with the address and key for its decryption.
struct AdvertisementBytes {
    /// The typed digits; nil for JSON.
    private let input: HexadecimalText?
    private let advertisement: Advertisement
    private let structures: [Range<Int>]
    private let address: Address?
    private let key: AdvertisementKey?

    /// - Throws: `Failure`, which marks the first invalid digit or AD structure.
    init(_ text: String, address: Address?, key: AdvertisementKey?) throws(Failure) {
        self.key = key
        if text.first(where: { !$0.isWhitespace }).map({ "{[".contains($0) }) ?? false {
            let scanned = try ScannedAdvertisement(text, of: address)
            (input, structures) = (nil, [])
            advertisement = scanned.advertisement
            self.address = address ?? scanned.address
            return
        }
        let input = try HexadecimalText(typed: text)
        if input.bytes.isEmpty { throw Failure(.badData, "no bytes: an advertisement has at least one AD structure") }
        do throws(AdvertisementPayloadError) {
            advertisement = try Advertisement(payload: input.bytes)
            structures = try Advertisement.structures(of: input.bytes)
        } catch {
            throw Failure(.badData, "\(error)\n\(Excerpt(text, at: input.offset(ofByte: error.position)))")
        }
        self.input = input
        self.address = address
    }

    /// Decodes the advertisement.
    ///
    /// - Throws: `Failure`, which marks the data that cannot be decoded.
    func decode() throws(Failure) -> AdvertisementContents {
        do throws(AdvertisementError) {
            return try decode(advertisement)
        } catch {
            throw Failure(.badData, error.description + pointer(to: error))
        }
    }

    private func decode(_ advertisement: Advertisement) throws(AdvertisementError) -> AdvertisementContents {
        var decoder = AdvertisementDecoder(address: address, key: key)
        return try decoder.decode(advertisement)
    }

    private func pointer(to error: AdvertisementError) -> String {
        guard let input, case .undecodable(let mistake) = error,
            let structure = structures.first(where: { fails($0, with: error) })
        else { return "" }
        let byte =
            switch mistake {
            case .tooShort: structure.upperBound
            case .tooLong(let expected, let found): structure.upperBound - (found - expected)
            case .invalid, .needs: structure.lowerBound
            }
        return "\n\(Excerpt(input.text, at: input.offset(ofByte: byte)))"
    }

    /// Returns whether this structure alone causes the same error.
    private func fails(_ structure: Range<Int>, with mistake: AdvertisementError) -> Bool {
        guard let input, var alone = try? Advertisement(payload: Array(input.bytes[structure])) else { return false }
        if alone.manufacturerData.isEmpty, alone.serviceData.isEmpty { return false }
        alone.localName = advertisement.localName
        alone.serviceUUIDs = advertisement.serviceUUIDs
        do throws(AdvertisementError) {
            _ = try decode(alone)
            return false
        } catch {
            return error == mistake
        }
    }
}

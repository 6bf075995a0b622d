package import Bluetooth

/// The codecs as a person calls them, without any device: names, digits and values in, payloads and bytes out.
package enum OfflineCodec {
    /// What a reading's payload carries, without its time.
    ///
    /// - Parameter characteristic: A SIG name, a UUID, or SERVICE/CHARACTERISTIC; a descriptor as well.
    package static func decode(_ characteristic: String, hex: String) throws(OfflineCodecError) -> Record {
        let definition = try definition(matching: characteristic)
        do {
            return try definition.format.decode(try HexadecimalText.bytes(of: hex)).payload
        } catch let error as HexadecimalError {
            throw .hexadecimal(error)
        } catch let error as DecodingError {
            throw .decoding(definition, error)
        } catch {
            preconditionFailure("decoding throws \(error)")
        }
    }

    /// The bytes that say a value.
    package static func encode(_ characteristic: String, _ value: Value) throws(OfflineCodecError) -> [UInt8] {
        let definition = try definition(matching: characteristic)
        do throws(EncodingError) {
            return try definition.format.encode(value)
        } catch {
            throw .encoding(definition, error)
        }
    }

    /// What all parts of an advertisement say, of those with the same name the first.
    ///
    /// - Parameters:
    ///   - hex: The whole AD payload.
    ///   - address: The device's, where decryption needs it.
    ///   - key: The device's key in hexadecimal digits.
    package static func decode(
        advertisement hex: String, address: Address? = nil, key: String? = nil
    ) throws(OfflineCodecError) -> Record {
        let bytes: [UInt8]
        var keyBytes: [UInt8]?
        do throws(HexadecimalError) {
            bytes = try HexadecimalText.bytes(of: hex)
        } catch {
            throw .hexadecimal(error)
        }
        if let key {
            // An error about a key must not show it.
            guard let bytes = try? HexadecimalText.bytes(of: key) else { throw .key }
            keyBytes = bytes
        }
        guard let advertisement = Advertisement(payload: bytes) else { throw .structures }
        var decoder = AdvertisementDecoder(address: address, key: keyBytes)
        do throws(AdvertisementError) {
            return try decoder.decode(advertisement).payload
        } catch {
            throw .advertisement(error)
        }
    }

    private static func definition(matching text: String) throws(OfflineCodecError) -> CharacteristicDefinition {
        let name = text.split(separator: "/").last.map(String.init) ?? text
        guard let found = Characteristics.definition(matching: name) ?? Descriptors.definition(matching: name) else {
            throw .unknown(name)
        }
        return found
    }
}

extension [AdvertisementReading] {
    /// The payloads of all readings in one, of members with the same name the first.
    package var payload: Record {
        var payload = Record()
        for member in flatMap(\.reading.payload.members) where payload[member.name] == nil {
            payload[member.name] = member.value
        }
        return payload
    }
}

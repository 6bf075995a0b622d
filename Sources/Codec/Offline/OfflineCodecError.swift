/// Why something was neither decoded nor encoded.
package enum OfflineCodecError: Error, Hashable, Sendable {
    /// No characteristic of this name, or none whose bytes the SIG laid down.
    case unknown(String)
    case hexadecimal(HexadecimalError)
    case decoding(CharacteristicDefinition, DecodingError)
    case encoding(CharacteristicDefinition, EncodingError)
    /// The key does not consist of hexadecimal digits.
    case key
    /// The AD structures reach beyond the end of the payload.
    case structures
    case advertisement(AdvertisementError)
}

extension OfflineCodecError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknown(let name):
            "the Bluetooth SIG lays down no bytes for \(name): give a name such as temperature, or a UUID such as 2A6E"
        case .hexadecimal(let error): error.description
        case .decoding(let definition, let error): "\(definition): \(error)"
        case .encoding(let definition, let error): "\(definition): \(error)"
        case .key: "the key is not made of pairs of hexadecimal digits"
        case .structures:
            "an AD structure reaches beyond the end: give the whole payload, each structure with its length and type"
        case .advertisement(let error): error.description
        }
    }
}
